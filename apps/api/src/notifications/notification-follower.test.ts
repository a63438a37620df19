import { expect, test } from 'bun:test';
import { startTeam } from '../../test/support/team.ts';
import type { CommitReport } from '../storage/commit-report.ts';
import { NotificationFollower } from './notification-follower.ts';

test('an error when checking who can be reached loses no notification and does not stop the follower', async () => {
  await using team = await startTeam();
  const { store, clock } = team.hub;
  const notified: string[] = [];
  let isDiskBroken = true;
  const follower = new NotificationFollower({
    store,
    clock,
    log: team.hub.deps.log,
    canReachAnyUser: () => {
      if (isDiskBroken) throw new Error('disk I/O error');
      return true;
    },
    shouldNotify: async () => true,
    onTrigger: (personId, { itemId }) => notified.push(`${personId} ${itemId}`),
  });
  const mention = async () => {
    const { id } = await team.message(team.bob, 'Look, @Ada!');
    const heads = new Map([[team.hubId, team.seq()]]);
    follower.committed({ heads } as unknown as CommitReport);
    const expected = `${team.ada.user.id} ${id}`;
    for (let turns = 0; turns < 1_000 && !notified.includes(expected); turns += 1)
      await new Promise((resolve) => setImmediate(resolve));
    return notified.filter((each) => each === expected).length;
  };
  expect(await mention()).toBe(1);
  isDiskBroken = false;
  expect(await mention()).toBe(1);
  follower.stop();
});
