import { beforeEach, describe, expect, test } from 'bun:test';
import type { Session, SignedIn } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  callerWith,
  cookieOf,
  createUser,
  redeem,
  signedIn,
  signIn,
  tokenIn,
  tokenOf,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_PASSWORD = 'something quite new';

const hub = shared(startTestHub);
/** Each test has an address of its own, so that no request is slowed because others failed. */
let address = 0;
beforeEach(() => {
  address += 1;
  hub.setClientAddress(`10.0.${address}.1`);
});

const statusOf = async (caller: UserCaller) => (await caller.json('GET', '/me')).status;
const statusesOf = (...callers: UserCaller[]) => Promise.all(callers.map(statusOf));
const sessionsOf = async (caller: UserCaller) =>
  (await caller.json<{ items: Session[] }>('GET', '/me/sessions?limit=100')).body.items;
const currentId = async (caller: UserCaller) => (await sessionsOf(caller)).find(({ isCurrent }) => isCurrent)?.id ?? '';

test('GET /session returns needsSetup until an account exists', async () => {
  await using empty = await startTestHub();
  const needsSetup = async (headers = {}) =>
    ((await (await empty.fetch('/api/v1/session', { headers })).json()) as SignedIn).needsSetup;
  expect(await needsSetup()).toBe(true);
  const ada = await signedIn(empty);
  for (const headers of [{}, ada.headers]) expect(await needsSetup(headers)).toBeUndefined();
});

test('sessions are listed with client, start and expiry, and the current one is marked', async () => {
  const ada = await createUser(hub);
  hub.setClientAddress('198.51.100.7');
  await trySignIn(hub, ada, { 'user-agent': 'Mozilla/5.0 (X11; Linux)' });
  hub.clock.advance(1_000);
  hub.setClientAddress('192.0.2.1');
  const caller = await signIn(hub, ada);
  await signedIn(hub);
  const items = await sessionsOf(caller);
  const [at, id] = ['2026-03-01T09:30:00.000Z', expect.stringMatching(/^ses_/)];
  const former = { id, createdAt: at, lastUsedAt: at, expiresAt: '2026-03-31T09:30:00.000Z', isCurrent: false };
  expect(items as unknown[]).toEqual([
    expect.objectContaining({ isCurrent: true, address: '192.0.2.1' }),
    { ...former, address: '198.51.100.7', userAgent: 'Mozilla/5.0 (X11; Linux)' },
  ]);
});

test('sessions are at most 50 for each user: a new one ends the oldest, and closes its live view', async () => {
  const ada = await createUser(hub);
  const oldest = await signIn(hub, ada);
  const grace = await signedIn(hub);
  using live = await liveClient(hub, oldest.headers);
  for (let n = 2; n < 50; n += 1) await signIn(hub, ada);
  const second = await signIn(hub, ada);
  expect([await statusOf(oldest), (await sessionsOf(second)).length]).toEqual([200, 50]);
  await Promise.all(Array.from({ length: 4 }, () => signIn(hub, ada)));
  expect(await statusesOf(oldest, second, grace)).toEqual([401, 200, 200]);
  expect(await sessionsOf(second)).toHaveLength(50);
  expect(await live.closed).toMatchObject({ code: 4401 });
});

test('sessions can be ended one by one from another session', async () => {
  const ada = await createUser(hub);
  const [here, there] = [await signIn(hub, ada), await signIn(hub, ada)];
  const ended = await here.json<Session>('DELETE', `/me/sessions/${await currentId(there)}`);
  expect([ended.status, ended.body.isCurrent, ended.headers.getSetCookie()]).toEqual([200, false, []]);
  expect(await statusesOf(here, there)).toEqual([200, 401]);
  const own = await here.json('DELETE', `/me/sessions/${await currentId(here)}`);
  expect(own.headers.getSetCookie()).toEqual(['hub_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  expect([ended, own].map(({ headers }) => headers.get('clear-site-data'))).toEqual([null, '"cache"']);
});

test('sessions return 401 to a page of another user, and do nothing', async () => {
  const session = await signedIn(hub);
  const outcome = async (userId: string, method: string, path: string) =>
    outcomeOf(await callerWith(hub, session.user, { ...session.headers, 'hub-user': userId }).json(method, path));
  const other = '401 This browser is signed in as another user now. Reload the page.';
  for (const [userId, method, path, expected] of [
    ['user_of_another_tab', 'GET', '/me', other],
    ['user_of_another_tab', 'DELETE', '/session', other],
    [session.user.id, 'GET', '/me', '200'],
    // A page asks whose session the browser has.
    ['user_of_another_tab', 'GET', '/session', '200'],
  ] as const)
    expect(await outcome(userId, method, path)).toBe(expected);
});

describe('all sessions of a user end', () => {
  test.each(['changed', 'reset'])(
    'when the password is %s, except the new one in this browser, and so do their tokens if that is asked for',
    async (how) => {
      for (const revokeTokens of [undefined, false, true]) {
        const user = await createUser(hub);
        const [here, there, token] = [await signIn(hub, user), await signIn(hub, user), await tokenOf(hub, user)];
        const change = async () =>
          here.json('PUT', '/me/password', { currentPassword: user.password, newPassword: NEW_PASSWORD, revokeTokens });
        const reset = async () => {
          const { link } = await hub.admin.request('POST /users/{userId}/password-reset', { userId: user.id });
          return redeem(hub, { token: tokenIn(hub, link, '/reset'), password: NEW_PASSWORD, revokeTokens });
        };
        const response = await (how === 'changed' ? change() : reset());
        expect(response.body.id).toBe(user.id);
        const now = callerWith(hub, user, { cookie: cookieOf(response) });
        const afterwards = [200, 401, 401, revokeTokens === true ? 401 : 200];
        expect([revokeTokens, ...(await statusesOf(now, here, there, token))]).toEqual([revokeTokens, ...afterwards]);
        const entry = { action: `password.${how}`, details: { tokensRevoked: revokeTokens === true } };
        expect((await hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
        expect((await trySignIn(hub, { ...user, password: NEW_PASSWORD })).status).toBe(201);
      }
    },
  );

  test('when an admin signs them out, and so do their tokens; they can sign in again', async () => {
    const owner = await signedIn(hub, { role: 'owner', name: 'Olga' });
    const [admin, member] = [await signedIn(hub, { role: 'admin' }), await signedIn(hub)];
    const token = await tokenOf(hub, admin.user);
    const signOut = (caller: UserCaller, { user }: UserCaller) => caller.outcome('POST', `/users/${user.id}/sign-out`);
    const own = '409 You cannot sign yourself out this way. End your sessions and tokens in your own settings.';
    for (const [caller, user, outcome] of [
      [member, admin, '403 Only workspace admins'],
      [admin, owner, '403 Olga is an owner. Only another owner'],
      [admin, admin, own],
      [owner, owner, own],
      [token, admin, own],
    ] as const)
      expect(await signOut(caller, user)).toStartWith(outcome);
    expect(await statusesOf(owner, admin, member)).toEqual([200, 200, 200]);
    expect([await signOut(owner, admin), ...(await statusesOf(owner, admin, token))]).toEqual(['200', 200, 401, 401]);
    const { id: targetId, name: targetName } = admin.user;
    const entry = { action: 'user.signed_out', actor: { name: 'Olga' }, targetId, targetName };
    expect((await hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
    expect((await trySignIn(hub, admin.user)).status).toBe(201);
    expect((await hub.admin.json('POST', `/users/${owner.user.id}/sign-out`)).status).toBe(200);
    expect(await statusOf(owner)).toBe(401);
  });

  test('when the user is disabled, and so do their tokens, within the same millisecond and permanently', async () => {
    const ada = await createUser(hub);
    const [session, token] = [await signIn(hub, ada), await tokenOf(hub, ada)];
    const after = async (verb: string) => {
      await hub.admin.json('POST', `/users/${ada.id}/${verb}`);
      return [...(await statusesOf(session, token)), (await trySignIn(hub, ada)).status];
    };
    expect(await after('deactivation')).toEqual([401, 401, 401]);
    expect(await after('reactivation')).toEqual([401, 401, 201]);
  });
});

test('a new password has 8 to 1,000 characters (code points), and requires the current one and a session', async () => {
  const ada = await createUser(hub);
  const session = await signIn(hub, ada);
  const change = async (caller: UserCaller, fields: object) => {
    const body = { currentPassword: ada.password, newPassword: NEW_PASSWORD, ...fields };
    return await caller.outcome('PUT', '/me/password', body);
  };
  const few = '400 newPassword has 7 characters; at least 8 are required';
  for (const [fields, outcome] of [
    [{ currentPassword: 'a wrong one' }, '400 The current password is incorrect'],
    [{ currentPassword: 'x'.repeat(1_001) }, '400 currentPassword has 1001 characters'],
    [{ newPassword: '1234567' }, few],
    [{ newPassword: '🚀'.repeat(7) }, few],
    [{ newPassword: 'x'.repeat(1_001) }, '400 newPassword has 1001 characters; at most 1000'],
    [{ newPassword: ada.email.toUpperCase() }, '400 newPassword must not be the e-mail'],
    [{ newPassword: ' '.repeat(8) }, '400 newPassword is required'],
  ] as const)
    expect(await change(session, fields)).toStartWith(outcome);
  expect(await change(await tokenOf(hub, ada), {})).toStartWith('403 Personal access tokens cannot do this');
  expect((await trySignIn(hub, ada)).status).toBe(201);
  const newPassword = '🚀'.repeat(8);
  expect(await change(session, { newPassword })).toBe('200');
  expect((await trySignIn(hub, { ...ada, password: newPassword })).status).toBe(201);
});

describe('in the course of time, sessions', () => {
  const hub = perTest(startTestHub);

  test('end exactly 90 days after signing in, however much they are used', async () => {
    const caller = await signedIn(hub);
    for (const days of [10, 10, 10, 10, 10, 10, 10, 10, 10 - 1 / DAY_MS]) {
      expect(await statusOf(caller)).toBe(200);
      await hub.flushUsers();
      hub.clock.advance(days * DAY_MS);
    }
    expect(await sessionsOf(caller)).toMatchObject([{ expiresAt: '2026-05-30T09:30:00.000Z' }]);
    await hub.flushUsers();
    hub.clock.advance(1);
    expect(await statusOf(caller)).toBe(401);
  });

  test('end exactly 30 days after the last use, which is shown to within a minute, as that of the account is', async () => {
    const used = await signedIn(hub);
    const idle = await signIn(hub, used.user);
    hub.clock.advance(20 * DAY_MS);
    hub.setClientAddress('198.51.100.9');
    expect(await statusOf(used)).toBe(200);
    await hub.flushUsers();
    const lastUsedAt = '2026-03-21T09:30:00.000Z';
    const use = { isCurrent: true, lastUsedAt, address: '198.51.100.9' };
    expect(await sessionsOf(used)).toContainEqual(expect.objectContaining(use));
    expect((await hub.admin.json('GET', `/users/${used.user.id}`)).body.lastSeenAt).toBe(lastUsedAt);
    hub.clock.advance(10 * DAY_MS - 1);
    expect([await statusOf(used), (await sessionsOf(used)).length]).toEqual([200, 2]);
    hub.clock.advance(1);
    expect(await statusesOf(idle, used)).toEqual([401, 200]);
    expect(await sessionsOf(used)).toHaveLength(1);
  });
});
