import { expect, test } from 'bun:test';
import { startTeam } from '@hub/testkit/in-process/team';
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
    heads: await store.events.heads(),
    log: team.hub.deps.log,
    canReachAnyUser: () => {
      if (isDiskBroken) throw new Error('disk I/O error');
      return true;
    },
    shouldNotify: async () => true,
    onTriggers: (_hubId, _seq, triggers) => {
      for (const [userId, { itemId }] of triggers) notified.push(`${userId} ${itemId}`);
    },
  });
  const mention = async () => {
    const { id } = await team.message(team.bob, 'Look, @Ada!');
    const heads = new Map([[team.hubId, await team.seq()]]);
    follower.committed({ heads, posts: [] } as unknown as CommitReport);
    const expected = `${team.ada.user.id} ${id}`;
    await follower.idle();
    return notified.filter((each) => each === expected).length;
  };
  expect(await mention()).toBe(1);
  isDiskBroken = false;
  expect(await mention()).toBe(1);
  await follower.stop();
});

test('posts are not read from the log again, unless they may mention users or other events come before them', async () => {
  await using team = await startTeam();
  const { store, clock, deps } = team.hub;
  const notified: string[] = [];
  const reads: number[] = [];
  const read: typeof store.events.read = (hubId, after, limit) => {
    reads.push(after);
    return store.events.read(hubId, after, limit);
  };
  await team.ada.json('PUT', `/me/notifications/hubs/${team.hubId}`, { mode: 'every' });
  const follower = new NotificationFollower({
    store: { ...store, events: { ...store.events, read } },
    clock,
    heads: await store.events.heads(),
    log: deps.log,
    canReachAnyUser: () => true,
    shouldNotify: async () => true,
    onTriggers: (_hubId, _seq, triggers) => {
      for (const [userId, { itemId, reason }] of triggers) notified.push(`${userId} ${reason} ${itemId}`);
    },
  });
  const notificationOf = async (text: string, reason: string) => {
    const { id, seq } = await team.post('messages', { text });
    const posts = [{ id, hubId: team.hubId, seq, keyId: team.keyId, title: null, body: text, blocks: null }];
    follower.committed({ heads: new Map([[team.hubId, seq]]), posts } as unknown as CommitReport);
    await follower.idle();
    expect(notified.splice(0)).toEqual([`${team.ada.user.id} ${reason} ${id}`]);
    return seq;
  };
  const first = await notificationOf('Hello', 'post');
  expect(reads).toEqual([]);
  await notificationOf('Look, @Ada!', 'mention');
  expect(reads).toEqual([first]);
  await team.message(team.ada, 'Looked');
  await notificationOf('Bye', 'post');
  expect(reads).toEqual([first, first + 1]);
  await follower.stop();
});
