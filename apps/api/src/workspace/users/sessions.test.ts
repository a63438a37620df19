import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedLink, Role, Session, SignedIn } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  outcomeOf,
  redeem,
  signIn,
  type TestUser,
  tokenIn,
  tokenOf,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { flushUsers } from '../../access/credential-use.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_PASSWORD = 'something quite new';

let hub: TestHub;
let ada: TestUser;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub);
});
afterEach(() => hub[Symbol.asyncDispose]());

const signedInAs = async (options: { role: Role; name?: string }) => signIn(hub, await createUser(hub, options));
/** Uses a reset link to set the new password. */
const reset = async ({ id }: TestUser, fields: object) => {
  const { body } = await adminJson<IssuedLink>(hub, 'POST', `/users/${id}/password-reset`);
  return redeem(hub, { token: tokenIn(hub, body.link, '/reset'), password: NEW_PASSWORD, ...fields });
};
const statusOf = async (caller: UserCaller) => (await caller.json('GET', '/me')).status;
const sessionsOf = async (caller: UserCaller, query = '') =>
  (await caller.json<{ items: Session[]; next: string | null }>('GET', `/me/sessions${query}`)).body;
const currentId = async (caller: UserCaller) =>
  (await sessionsOf(caller)).items.find(({ isCurrent }) => isCurrent)?.id ?? '';

test('GET /session returns needsSetup until an account exists', async () => {
  const needsSetup = async (on: TestHub, headers = {}) =>
    ((await (await on.fetch('/api/v1/session', { headers })).json()) as SignedIn).needsSetup;
  await using empty = await startTestHub();
  expect(await needsSetup(empty)).toBe(true);
  expect(await needsSetup(hub)).toBeUndefined();
  expect(await needsSetup(hub, (await signIn(hub, ada)).headers)).toBeUndefined();
});

describe('sessions', () => {
  test('are listed with client, start and expiry, and the current one is marked', async () => {
    hub.setClientAddress('198.51.100.7');
    await trySignIn(hub, ada, { 'user-agent': 'Mozilla/5.0 (X11; Linux)' });
    hub.clock.advance(1_000);
    hub.setClientAddress('192.0.2.1');
    const caller = await signIn(hub, ada);
    await signIn(hub, await createUser(hub));
    const { items, next } = await sessionsOf(caller);
    expect(next).toBeNull();
    expect(items.map(({ isCurrent, address }) => [isCurrent, address])).toEqual([
      [true, '192.0.2.1'],
      [false, '198.51.100.7'],
    ]);
    expect(items[1]).toEqual({
      id: expect.stringMatching(/^ses_/) as unknown as string,
      createdAt: '2026-03-01T09:30:00.000Z',
      lastUsedAt: '2026-03-01T09:30:00.000Z',
      expiresAt: '2026-03-31T09:30:00.000Z',
      address: '198.51.100.7',
      userAgent: 'Mozilla/5.0 (X11; Linux)',
      isCurrent: false,
    });
  });

  test('are at most 50 for each user: a new one ends the oldest, and closes its live view', async () => {
    const oldest = await signIn(hub, ada);
    const grace = await signIn(hub, await createUser(hub));
    using live = await liveClient(hub, oldest.headers);
    for (let n = 2; n < 50; n += 1) await signIn(hub, ada);
    const second = await signIn(hub, ada);
    expect([await statusOf(oldest), (await sessionsOf(second, '?limit=100')).items.length]).toEqual([200, 50]);
    await Promise.all(Array.from({ length: 4 }, () => signIn(hub, ada)));
    expect([await statusOf(oldest), await statusOf(second), await statusOf(grace)]).toEqual([401, 200, 200]);
    expect((await sessionsOf(second, '?limit=100')).items.length).toBe(50);
    expect(await live.closed).toMatchObject({ code: 4401 });
  });

  test('can be ended one by one from another session', async () => {
    const [here, there] = [await signIn(hub, ada), await signIn(hub, ada)];
    const ended = await here.json<Session>('DELETE', `/me/sessions/${await currentId(there)}`);
    expect([ended.status, ended.body.isCurrent, ended.headers.getSetCookie()]).toEqual([200, false, []]);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
    const own = await here.json('DELETE', `/me/sessions/${await currentId(here)}`);
    expect(own.headers.getSetCookie()).toEqual(['hub_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  });

  test('return 401 to a page of another user, and do nothing', async () => {
    const session = await signIn(hub, ada);
    const asUser = (id: string, method: string, path: string) =>
      hub.fetch(`/api/v1${path}`, { method, headers: { ...session.headers, 'hub-user': id } });
    for (const [method, path] of [
      ['GET', '/me'],
      ['DELETE', '/session'],
    ] as const) {
      const response = await asUser('user_of_another_tab', method, path);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        message: 'This browser is signed in as another user now. Reload the page.',
      });
    }
    expect((await asUser(ada.id, 'GET', '/me')).status).toBe(200);
    // A page asks whose session the browser has.
    expect((await asUser('user_of_another_tab', 'GET', '/session')).status).toBe(200);
  });

  test('end exactly 90 days after signing in, however much they are used', async () => {
    const caller = await signIn(hub, ada);
    for (let day = 0; day < 80; day += 10) {
      expect(await statusOf(caller)).toBe(200);
      await flushUsers(hub.deps);
      hub.clock.advance(10 * DAY_MS);
    }
    expect(await statusOf(caller)).toBe(200);
    await flushUsers(hub.deps);
    hub.clock.advance(10 * DAY_MS - 1);
    expect(await statusOf(caller)).toBe(200);
    expect((await sessionsOf(caller)).items[0]?.expiresAt).toBe('2026-05-30T09:30:00.000Z');
    await flushUsers(hub.deps);
    hub.clock.advance(1);
    expect(await statusOf(caller)).toBe(401);
  });

  test('end exactly 30 days after the last use, and each use extends them', async () => {
    const [used, idle] = [await signIn(hub, ada), await signIn(hub, ada)];
    hub.clock.advance(20 * DAY_MS);
    expect(await statusOf(used)).toBe(200);
    await flushUsers(hub.deps);
    hub.clock.advance(10 * DAY_MS - 1);
    expect([await statusOf(used), (await sessionsOf(used)).items.length]).toEqual([200, 2]);
    hub.clock.advance(1);
    expect([await statusOf(idle), await statusOf(used)]).toEqual([401, 200]);
    expect((await sessionsOf(used)).items).toHaveLength(1);
  });

  test('show their last use to within a minute, and so does the account', async () => {
    const caller = await signIn(hub, ada);
    hub.clock.advance(120_000);
    hub.setClientAddress('198.51.100.9');
    await statusOf(caller);
    await flushUsers(hub.deps);
    expect((await sessionsOf(caller)).items[0]).toMatchObject({
      lastUsedAt: '2026-03-01T09:32:00.000Z',
      address: '198.51.100.9',
    });
    const { body } = await adminJson(hub, 'GET', `/users/${ada.id}`);
    expect(body.lastSeenAt).toBe('2026-03-01T09:32:00.000Z');
  });
});

describe('all sessions of a user end', () => {
  test('when the password changes, except the new one in this browser; tokens remain valid', async () => {
    const [here, there] = [await signIn(hub, ada), await signIn(hub, ada)];
    const token = await tokenOf(hub, ada);
    const body = { currentPassword: ada.password, newPassword: NEW_PASSWORD };
    const response = await here.json('PUT', '/me/password', body);
    expect([response.status, response.body.id]).toEqual([200, ada.id]);
    expect([await statusOf(here), await statusOf(there), await statusOf(token)]).toEqual([401, 401, 200]);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect((await hub.fetch('/api/v1/me', { headers: { cookie } })).status).toBe(200);
    expect((await trySignIn(hub, ada)).status).toBe(401);
    expect((await trySignIn(hub, { ...ada, password: NEW_PASSWORD })).status).toBe(201);
  });

  test.each(['changed', 'reset'])(
    'when the password is %s, and so do their tokens if that is asked for',
    async (how) => {
      for (const revokeTokens of [undefined, false, true]) {
        const user = await createUser(hub);
        const [session, token] = [await signIn(hub, user), await tokenOf(hub, user)];
        const set = { currentPassword: user.password, newPassword: NEW_PASSWORD, revokeTokens };
        const response =
          how === 'changed' ? await session.json('PUT', '/me/password', set) : await reset(user, { revokeTokens });
        const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
        const now = await hub.fetch('/api/v1/me', { headers: { cookie } });
        expect([response.status < 300, now.status, await statusOf(session)]).toEqual([true, 200, 401]);
        expect([revokeTokens, await statusOf(token)]).toEqual([revokeTokens, revokeTokens === true ? 401 : 200]);
        const { action, details } = (await hub.admin.audit()).items[0] ?? {};
        expect([action, details?.tokensRevoked]).toEqual([`password.${how}`, revokeTokens === true]);
      }
    },
  );

  test('when an admin signs them out, and so do their tokens; they can sign in again', async () => {
    const [session, token] = [await signIn(hub, ada), await tokenOf(hub, ada)];
    const admin = await signedInAs({ role: 'admin', name: 'Anton' });
    const { status, body } = await admin.json('POST', `/users/${ada.id}/sign-out`);
    expect([status, body.id, body.disabledAt]).toEqual([200, ada.id, null]);
    expect([await statusOf(session), await statusOf(token), await statusOf(admin)]).toEqual([401, 401, 200]);
    expect((await hub.admin.audit()).items[0]).toMatchObject({
      action: 'user.signed_out',
      actor: { name: 'Anton' },
      targetId: ada.id,
      targetName: ada.name,
    });
    expect((await trySignIn(hub, ada)).status).toBe(201);
  });

  test('only at the hands of those who could disable them, and users do not sign themselves out this way', async () => {
    const [owner, admin] = [await signedInAs({ role: 'owner', name: 'Olga' }), await signedInAs({ role: 'admin' })];
    const member = await signIn(hub, ada);
    const token = await tokenOf(hub, admin.user);
    const signOut = async (caller: UserCaller, { user }: UserCaller) =>
      outcomeOf(await caller.json('POST', `/users/${user.id}/sign-out`));
    expect(await signOut(member, admin)).toStartWith('403 Only workspace admins');
    expect(await signOut(admin, owner)).toStartWith('403 Olga is an owner. Only another owner');
    const own = '409 You cannot sign yourself out this way. End your sessions and tokens in your own settings.';
    for (const [caller, user] of [
      [admin, admin],
      [owner, owner],
      [token, admin],
    ] as const)
      expect(await signOut(caller, user)).toBe(own);
    for (const caller of [owner, admin, member]) expect(await statusOf(caller)).toBe(200);
    expect([await signOut(owner, admin), await statusOf(admin), await statusOf(token)]).toEqual(['200', 401, 401]);
    expect((await adminJson(hub, 'POST', `/users/${owner.user.id}/sign-out`)).status).toBe(200);
    expect(await statusOf(owner)).toBe(401);
    expect(outcomeOf(await adminJson(hub, 'POST', '/users/usr_none/sign-out'))).toBe('404 There is no user usr_none.');
    expect(outcomeOf(await adminJson(hub, 'POST', `/users/${ada.id}/sign-out`, { all: true }))).toStartWith('400 all');
  });

  test('when the user is disabled, and so do their tokens, within the same millisecond and permanently', async () => {
    const [session, token] = [await signIn(hub, ada), await tokenOf(hub, ada)];
    await adminJson(hub, 'POST', `/users/${ada.id}/deactivation`);
    expect([await statusOf(session), await statusOf(token), (await trySignIn(hub, ada)).status]).toEqual([
      401, 401, 401,
    ]);
    await adminJson(hub, 'POST', `/users/${ada.id}/reactivation`);
    expect([await statusOf(session), await statusOf(token), (await trySignIn(hub, ada)).status]).toEqual([
      401, 401, 201,
    ]);
  });
});

describe('a new password', () => {
  const change = async (currentPassword: string, newPassword: unknown) =>
    outcomeOf(await (await signIn(hub, ada)).json('PUT', '/me/password', { currentPassword, newPassword }));

  test('requires the current password and a session', async () => {
    expect(await change('a wrong one', NEW_PASSWORD)).toStartWith('400 The current password is incorrect');
    expect(await change('x'.repeat(1_001), NEW_PASSWORD)).toStartWith('400 currentPassword has 1001 characters');
    const token = await tokenOf(hub, ada);
    const body = { currentPassword: ada.password, newPassword: NEW_PASSWORD };
    expect(outcomeOf(await token.json('PUT', '/me/password', body))).toStartWith(
      '403 Personal access tokens cannot do this',
    );
    expect((await hub.fetch('/api/v1/me/password', { method: 'PUT' })).status).toBe(401);
    expect((await trySignIn(hub, ada)).status).toBe(201);
  });

  test('has 8 to 1,000 characters of any kind, counted in code points, and is not the e-mail address', async () => {
    expect(await change(ada.password, '1234567')).toBe('400 newPassword has 7 characters; at least 8 are required');
    expect(await change(ada.password, '🚀'.repeat(7))).toBe(
      '400 newPassword has 7 characters; at least 8 are required',
    );
    expect(await change(ada.password, 'x'.repeat(1_001))).toStartWith(
      '400 newPassword has 1001 characters; at most 1000',
    );
    expect(await change(ada.password, ada.email.toUpperCase())).toStartWith('400 newPassword must not be the e-mail');
    expect(await change(ada.password, ' '.repeat(8))).toStartWith('400 newPassword is required');
    expect(await change(ada.password, '🚀'.repeat(8))).toBe('200');
    expect((await trySignIn(hub, { ...ada, password: '🚀'.repeat(8) })).status).toBe(201);
  });
});
