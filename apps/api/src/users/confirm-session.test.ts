import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { settleDelayed } from '@hub/testkit/in-process/test-clock';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  outcomeOf,
  signedIn,
  type TestUser,
  tokenOf,
  type UserCaller,
} from '@hub/testkit/in-process/users';

const MINUTE_MS = 60_000;
const CONFIRM = '403 Confirm your password first: you last entered it more than 15 minutes ago. Nothing was changed.';

let hub: TestHub;
let owner: UserCaller;
let member: TestUser;
beforeEach(async () => {
  hub = await startTestHub();
  owner = await signedIn(hub, { role: 'owner' });
  member = await createUser(hub);
});
afterEach(() => hub[Symbol.asyncDispose]());

/** The requests that require confirmation, as `[method, path, body]`. */
const guarded = (): [string, string, object?][] => [
  ['POST', '/me/tokens', { name: 'hubctl' }],
  ['PATCH', '/workspace', { membersManageKeys: false }],
  ['PATCH', '/workspace', { longestKeyLifetimeDays: 30 }],
  ['PATCH', `/people/${member.id}`, { role: 'admin' }],
  ['POST', `/people/${member.id}/password-reset`],
  ['POST', '/invitations', { email: 'new@example.org', role: 'admin' }],
  ['POST', '/people', { email: 'new@example.org', name: 'New', role: 'owner', password: 'a good password' }],
];
const confirm = (password: string) =>
  settleDelayed(hub.clock, owner.json<{ confirmedUntil: string }>('POST', '/session/confirmation', { password }));

describe('a session in which the password was last entered more than 15 minutes ago', () => {
  test('gets 403 with Hub-Confirmation for requests that change rights, and nothing changes', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const before = (await hub.admin.audit()).items.length;
    for (const [method, path, body] of guarded()) {
      const response = await owner.json(method, path, body);
      expect([path, outcomeOf(response)]).toEqual([path, CONFIRM]);
      expect(response.headers.get('hub-confirmation')).toBe('password');
      expect(Object.keys(response.body).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    }
    expect((await hub.admin.audit()).items.length).toBe(before);
  });

  test('can send requests that change rights for exactly 15 minutes after the password is confirmed', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const { status, body } = await confirm(owner.user.password);
    expect([status, body]).toEqual([200, { confirmedUntil: '2026-03-01T10:00:00.001Z' }]);
    hub.clock.advance(15 * MINUTE_MS);
    for (const [method, path, fields] of guarded().slice(0, 6)) {
      expect([path, (await owner.json(method, path, fields)).status < 300]).toEqual([path, true]);
    }
    hub.clock.advance(1);
    expect(outcomeOf(await owner.json('POST', '/me/tokens', { name: 'late' }))).toBe(CONFIRM);
  });

  test('cannot enable a disabled admin or owner, but can enable a member', async () => {
    const admin = await createUser(hub, { role: 'admin', name: 'Cleo' });
    for (const { id } of [admin, member]) await owner.json('POST', `/people/${id}/deactivation`);
    hub.clock.advance(15 * MINUTE_MS + 1);
    expect(outcomeOf(await owner.json('POST', `/people/${admin.id}/reactivation`))).toBe(CONFIRM);
    expect((await owner.json('POST', `/people/${member.id}/reactivation`)).status).toBe(200);
    expect((await confirm(owner.user.password)).status).toBe(200);
    expect((await owner.json('POST', `/people/${admin.id}/reactivation`)).status).toBe(200);
  });

  test('can do everything else, including taking rights away', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    for (const [method, path, body] of [
      ['PATCH', '/me', { name: 'Ada King' }],
      ['PATCH', '/workspace', { name: 'Example Ltd', membersManageKeys: true }],
      ['PATCH', `/people/${member.id}`, { name: 'Bob', role: 'member' }],
      ['POST', '/invitations', { email: 'new@example.org' }],
      ['POST', `/people/${member.id}/deactivation`],
    ] as const) {
      expect([path, (await owner.json(method, path, body)).status < 300]).toEqual([path, true]);
    }
  });
});

describe('confirming the password', () => {
  test('returns 400 for a wrong password, counts it as a failed attempt, and keeps the session unchanged', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const outcomes: string[] = [];
    for (let n = 0; n < 21; n += 1) outcomes.push(outcomeOf(await confirm('a wrong guess')));
    expect(new Set(outcomes.slice(0, 20))).toEqual(
      new Set(['400 The password is incorrect. Enter the password you sign in with.']),
    );
    expect(outcomes[20]).toStartWith('429 Too many failed password attempts');
    expect(outcomeOf(await owner.json('POST', '/me/tokens', { name: 'hubctl' }))).toBe(CONFIRM);
    expect((await owner.json('GET', '/me')).status).toBe(200);
  });

  test('applies to this session only', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const other = await signedIn(hub, { role: 'owner' });
    hub.clock.advance(15 * MINUTE_MS + 1);
    expect((await confirm(owner.user.password)).status).toBe(200);
    expect(outcomeOf(await other.json('POST', '/me/tokens', { name: 'hubctl' }))).toBe(CONFIRM);
  });

  test('returns 403 for tokens and the local admin, which never need confirmation', async () => {
    const token = await tokenOf(hub, owner.user);
    hub.clock.advance(24 * 60 * MINUTE_MS);
    const change = { membersManageKeys: false };
    expect((await token.json('PATCH', '/workspace', change)).status).toBe(200);
    expect((await adminJson(hub, 'PATCH', '/workspace', { membersManageKeys: true })).status).toBe(200);
    const body = { password: owner.user.password };
    expect((await token.json('POST', '/session/confirmation', body)).status).toBe(403);
    expect((await adminJson(hub, 'POST', '/session/confirmation', body)).status).toBe(403);
  });
});
