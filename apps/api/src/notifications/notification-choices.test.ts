import { describe, expect, test } from 'bun:test';
import type { IssuedKey, NotificationSettings } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import type { UserCaller } from '@hub/testkit/in-process/users';
import type { CommitReport } from '../storage/commit-report.ts';
import { isQuiet, NotificationFollower } from './notification-follower.ts';

const team = shared(startTeam);

const change = (caller: UserCaller, path: string, body: object, method = 'PUT') =>
  caller.json<NotificationSettings>(method, `/me/notifications${path}`, body);

describe('notification settings', () => {
  test('by default notify about mentions, assignments and replies', async () => {
    const defaults = { mentions: true, assignments: true, replies: true, hubs: [], keys: [], quietHours: null };
    expect((await team.ada.json('GET', '/me/notifications')).body).toMatchObject(defaults);
  });

  test('return 400 for quiet hours with an unknown time zone or of zero length', async () => {
    const hours = { fromMinute: 60, toMinute: 120, days: [1], timeZone: 'UTC' };
    for (const wrong of [{ timeZone: 'Mars/Olympus' }, { toMinute: 60 }, { days: [8] }, { fromMinute: 1_440 }]) {
      expect((await change(team.ada, '/quiet-hours', { ...hours, ...wrong })).status).toBe(400);
    }
    expect((await change(team.ada, '/quiet-hours', hours)).status).toBe(200);
    expect(
      (await team.ada.json<NotificationSettings>('DELETE', '/me/notifications/quiet-hours')).body.quietHours,
    ).toBeNull();
  });

  test('for a key carry over to its successor', async () => {
    await change(team.ada, `/keys/${team.keyId}`, { mode: 'muted' });
    await change(team.bob, `/keys/${team.keyId}`, { mode: 'every' });
    const { id: rotatedId } = (await team.bob.json<IssuedKey>('POST', `/keys/${team.keyId}/rotation`)).body;
    await change(team.bob, `/keys/${rotatedId}`, { mode: 'usual' });
    const { id: replacedId } = (await team.bob.json<IssuedKey>('POST', `/keys/${rotatedId}/replacement`)).body;
    const modes = async (caller: UserCaller) => {
      const { keys } = (await caller.json<NotificationSettings>('GET', '/me/notifications')).body;
      return new Map(keys.map(({ keyId, mode, isOver }) => [keyId, isOver ? `${mode}, over` : mode]));
    };
    const ofAda = [
      [team.keyId, 'muted'],
      [rotatedId, 'muted, over'],
      [replacedId, 'muted'],
    ] as const;
    expect(await modes(team.ada)).toEqual(new Map(ofAda));
    expect(await modes(team.bob)).toEqual(new Map([[team.keyId, 'every']]));
  });
});

const night = { fromMinute: 22 * 60, toMinute: 7 * 60, days: [1, 2, 3, 4, 5, 6, 7], timeZone: 'Europe/Berlin' };

test.each<[what: string, hours: typeof night, times: Record<string, boolean>]>([
  [
    'can span midnight, in their time zone',
    night,
    {
      // In March Berlin is one hour ahead of UTC, in July two hours.
      '2026-03-02T20:59:59Z': false,
      '2026-03-02T21:00:00Z': true,
      '2026-03-03T05:59:59Z': true,
      '2026-03-03T06:00:00Z': false,
      '2026-07-02T20:00:00Z': true,
    },
  ],
  [
    'of Fridays begin on that day',
    { ...night, days: [5] },
    {
      '2026-03-06T22:00:00Z': true,
      '2026-03-07T05:00:00Z': true,
      '2026-03-06T05:00:00Z': false,
      '2026-03-07T22:00:00Z': false,
    },
  ],
  ['of Sundays last until Monday', { ...night, days: [7] }, { '2026-03-09T05:00:00Z': true }],
])('quiet hours %s', (_, hours, times) => {
  for (const [time, isExpected] of Object.entries(times)) {
    expect([time, isQuiet(hours, Date.parse(time))]).toEqual([time, isExpected]);
  }
});

test('an error when checking who can be reached loses no notification and does not stop the follower', async () => {
  const { store, clock } = team.hub;
  const notified: string[] = [];
  let isDiskBroken = true;
  const follower = new NotificationFollower({
    store,
    clock,
    heads: await store.events.heads(),
    log: team.hub.deps.log,
    live: { sockets: new Set() },
    canReachElsewhere: () => {
      if (isDiskBroken) throw new Error('disk I/O error');
      return Promise.resolve(true);
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
