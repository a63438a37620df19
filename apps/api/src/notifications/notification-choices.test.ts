import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedKey, NotificationKey, NotificationSettings } from '@hub/contract';
import { type Team, teamOn } from '@hub/testkit/in-process/team';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, adminJson, createUser, signedIn, signIn, type UserCaller } from '@hub/testkit/in-process/users';

let hub: TestHub;
let team: Team;
beforeEach(async () => {
  hub = await startTestHub();
  team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
});
afterEach(() => hub[Symbol.asyncDispose]());

const change = (caller: UserCaller, path: string, body: object, method = 'PUT') =>
  caller.json<NotificationSettings>(method, `/me/notifications${path}`, body);

describe('notification settings', () => {
  test('by default notify about mentions, assignments and replies', async () => {
    expect((await team.ada.json<NotificationSettings>('GET', '/me/notifications')).body).toMatchObject({
      mentions: true,
      assignments: true,
      replies: true,
      hubs: [],
      keys: [],
      quietHours: null,
    });
  });

  test('keep two changes that are made at the same time', async () => {
    for (const [mentions, replies] of [
      [false, false],
      [true, true],
      [false, true],
      [true, false],
    ]) {
      const changes = [{ mentions }, { replies }].map((body) => change(team.ada, '', body, 'PATCH'));
      for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
      expect((await team.ada.json('GET', '/me/notifications')).body).toMatchObject({
        mentions,
        replies,
        assignments: true,
      });
    }
  });

  test('return 404 for a Hub or key that the user may not read', async () => {
    const stranger = await signIn(hub, await createUser(hub));
    for (const path of [`/hubs/${team.hubId}`, `/keys/${team.keyId}`]) {
      expect((await change(stranger, path, { mode: 'every' })).status).toBe(404);
    }
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

  test("list the active keys of the user's Hubs; users who do not manage keys see only those that have posted", async () => {
    const keysOf = async (caller: UserCaller) =>
      (await caller.json<{ items: NotificationKey[] }>('GET', '/me/notifications/keys')).body.items;
    const { key: token, ...quiet } = await hub.admin.issueKey({ hubId: team.hubId, name: 'quiet' });
    const over = await hub.admin.issueKey({ hubId: team.hubId, name: 'over' });
    for (const key of [over, { key: team.key }]) await post(hub, 'messages', key.key, { text: 'x' });
    await hub.admin.revokeKey(over.id);
    await teamOn(hub, ['Cy', 'Di']);
    const ci = { id: team.keyId, hubId: team.hubId, name: 'ci' };
    expect(await keysOf(team.ada)).toEqual([{ id: quiet.id, hubId: team.hubId, name: 'quiet' }, ci]);
    await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: false });
    expect(await keysOf(team.ada)).toEqual([ci]);
    const admin = await signedIn(hub, { role: 'admin' });
    expect(await keysOf(admin)).toEqual([]);
    await addMember(hub, team.hubId, admin.user);
    expect(await keysOf(admin)).toHaveLength(2);
    const { body: rotated } = await admin.json<IssuedKey>('POST', `/keys/${team.keyId}/rotation`);
    await post(hub, 'messages', rotated.key, { text: 'x' });
    expect(await keysOf(team.ada)).toEqual([{ ...ci, id: rotated.id }]);
    expect((await team.ada.json('GET', '/me/notifications/keys?limit=0')).status).toBe(400);
    expect((await hub.admin.raw('GET', '/me/notifications/keys')).status).toBe(403);
  });

  test('are returned as they were set', async () => {
    await change(team.ada, `/hubs/${team.hubId}`, { mode: 'muted' });
    const { body } = await change(team.ada, `/keys/${team.keyId}`, { mode: 'every' });
    expect(body.hubs).toEqual([{ hubId: team.hubId, mode: 'muted' }]);
    expect(body.keys).toEqual([{ keyId: team.keyId, hubId: team.hubId, name: 'ci', mode: 'every', isOver: false }]);
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
