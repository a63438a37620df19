import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssuedLink, Me, Role, Session, SignedIn } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { onlyOnSqlite, restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
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
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { flushUsers } from '../../access/credential-use.ts';
import { StoreUnavailable } from '../../platform/errors.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NEW_PASSWORD = 'something quite new';

let hub: TestHub;
let ada: TestUser;
beforeEach(async () => {
  hub = await startTestHub();
  ada = await createUser(hub);
});
afterEach(() => hub[Symbol.asyncDispose]());

const signedIn = async (caller: Pick<UserCaller, 'json'>) => {
  const { status, body } = await caller.json<SignedIn>('GET', '/session');
  return [status, body.me?.name ?? null];
};
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

  test('are listed with pagination, and unknown parameters return 400', async () => {
    for (let count = 0; count < 3; count += 1) await signIn(hub, ada);
    const caller = await signIn(hub, ada);
    const first = await sessionsOf(caller, '?limit=3');
    expect(first.items).toHaveLength(3);
    expect((await sessionsOf(caller, `?limit=3&before=${first.next}`)).items).toHaveLength(1);
    expect(outcomeOf(await caller.json('GET', '/me/sessions?limit=0'))).toStartWith('400 limit must be');
    expect(outcomeOf(await caller.json('GET', '/me/sessions?of=me'))).toStartWith('400 of is not a known parameter');
  });

  test('are reported to a page, and having none is not an error; a token does not count as one', async () => {
    const session = await signIn(hub, ada);
    expect(await signedIn(session)).toEqual([200, ada.name]);
    expect((await session.json<SignedIn>('GET', '/session')).body.me).toEqual(
      (await session.json<Me>('GET', '/me')).body,
    );
    expect(await signedIn(await tokenOf(hub, ada))).toEqual([200, null]);
    await session.json('DELETE', '/session');
    expect(await signedIn(session)).toEqual([200, null]);
    expect(await (await hub.fetch('/api/v1/session')).json()).toEqual({ me: null });
    expect((await hub.fetch('/api/v1/session', { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403);
    hub.deps.store.users.findCredential = () => Promise.reject(new StoreUnavailable('store'));
    expect((await session.json('GET', '/session')).status).toBe(503);
  });

  test('end on sign-out, except those in other browsers', async () => {
    const [session, other] = [await signIn(hub, ada), await signIn(hub, ada)];
    const response = await session.json<Session>('DELETE', '/session');
    expect([response.status, response.body.isCurrent]).toEqual([200, true]);
    expect([await statusOf(session), await statusOf(other)]).toEqual([401, 200]);
    expect((await session.json('DELETE', '/session')).status).toBe(401);
    expect((await hub.admin.audit()).items[0]).toMatchObject({ action: 'session.ended', targetId: response.body.id });
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

  test('return 403 when a token or the local admin signs out, and 400 when the body has fields', async () => {
    const token = await tokenOf(hub, ada);
    expect(outcomeOf(await token.json('DELETE', '/session'))).toStartWith('403 Personal access tokens cannot do this');
    expect(outcomeOf(await adminJson(hub, 'DELETE', '/session'))).toStartWith('403 This requires a user account');
    const session = await signIn(hub, ada);
    expect(outcomeOf(await session.json('DELETE', '/session', { all: true }))).toStartWith('400 all is not a field');
    expect(await statusOf(session)).toBe(200);
  });

  test('can be ended one by one from another session', async () => {
    const [here, there] = [await signIn(hub, ada), await signIn(hub, ada)];
    const ended = await here.json<Session>('DELETE', `/me/sessions/${await currentId(there)}`);
    expect([ended.status, ended.body.isCurrent, ended.headers.getSetCookie()]).toEqual([200, false, []]);
    expect([await statusOf(here), await statusOf(there)]).toEqual([200, 401]);
    const own = await here.json('DELETE', `/me/sessions/${await currentId(here)}`);
    expect(own.headers.getSetCookie()).toEqual(['hub_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  });

  test('of other users return 404, like unknown ones', async () => {
    const [own, foreign] = [await signIn(hub, ada), await signIn(hub, await createUser(hub, { role: 'owner' }))];
    const id = await currentId(own);
    expect(outcomeOf(await foreign.json('DELETE', `/me/sessions/${id}`))).toBe(`404 There is no session ${id}.`);
    expect(outcomeOf(await own.json('DELETE', '/me/sessions/ses_0'))).toBe('404 There is no session ses_0.');
    expect(outcomeOf(await own.json('DELETE', '/me/sessions/%ff'))).toBe('404 There is no session with this id.');
    expect(await statusOf(own)).toBe(200);
  });

  test('that were created before the age limit existed end after their next use if they are 90 days old', async () => {
    const caller = await signIn(hub, ada);
    hub.clock.advance(29 * DAY_MS);
    expect(await statusOf(caller)).toBe(200);
    await flushUsers(hub.deps);
    const { id } = (await sessionsOf(caller)).items[0] ?? { id: '' };
    await hub.query('UPDATE sessions SET created_at = created_at - $1 WHERE id = $2', 62 * DAY_MS, id);
    hub.clock.advance(60_000);
    expect(await statusOf(caller)).toBe(200);
    await flushUsers(hub.deps);
    expect(await statusOf(caller)).toBe(401);
  });

  test('count as used even if the disk failed when that was to be saved', async () => {
    const caller = await signIn(hub, ada);
    await flushUsers(hub.deps);
    hub.clock.advance(60_000);
    expect(await statusOf(caller)).toBe(200);
    const { credentialUse } = hub.deps;
    const full = { transaction: () => Promise.reject(new Error('The disk is full')) };
    await expect(flushUsers({ credentialUse, store: { ...hub.store, ...full } })).rejects.toThrow('The disk is full');
    await flushUsers(hub.deps);
    const [row] = await hub.query<{ at: number }>('SELECT max(last_used_at) AS at FROM sessions');
    expect(Number(row?.at)).toBe(hub.clock.now());
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

  test('survive a restart', async () => {
    const cookie = (await signIn(hub, ada)).headers.cookie ?? '';
    await using again = await restartHub(hub);
    expect((await again.fetch('/api/v1/me', { headers: { cookie } })).status).toBe(200);
  });

  onlyOnSqlite('it reads the files of the database').test('have no secrets in the data folder', async () => {
    const cookie = (await signIn(hub, ada)).headers.cookie ?? '';
    const token = await tokenOf(hub, ada);
    await using again = await restartHub(hub);
    const stored = readdirSync(again.dataDir)
      .filter((name) => name.startsWith('hub.db'))
      .map((name) => readFileSync(join(again.dataDir, name), 'latin1'))
      .join('');
    expect(stored).toContain(ada.email);
    for (const secret of [cookie.split('=')[1], token.headers.authorization?.split(' ')[1], ada.password]) {
      expect(secret).toBeString();
      expect(stored).not.toContain(secret ?? '');
    }
    expect(stored).toContain('$argon2id$');
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

  test('has an audit entry; neither it nor the server log contains the old or the new password', async () => {
    expect(await change(ada.password, NEW_PASSWORD)).toBe('200');
    const audit = await hub.admin.audit();
    expect(audit.items[0]).toMatchObject({ action: 'password.changed', actor: { id: ada.id }, targetId: ada.id });
    for (const text of [JSON.stringify(audit), JSON.stringify(hub.logged)]) {
      expect(text).not.toContain(NEW_PASSWORD);
      expect(text).not.toContain(ada.password);
    }
  });
});

describe('an unavailable store returns 503 and never 401, so that users are not asked to sign in again', () => {
  const unavailable = async () => {
    throw new StoreUnavailable(new Error('disk I/O error'));
  };

  test('for a session and a token', async () => {
    const callers = [await signIn(hub, ada), await tokenOf(hub, ada)];
    hub.deps.store.users.findCredential = unavailable;
    for (const caller of callers) expect(await statusOf(caller)).toBe(503);
  });

  test('for signing in, when reading and when writing fails', async () => {
    const restore = failInTransactions(
      hub.deps.store,
      'sessions',
      'insert',
      () => new StoreUnavailable('disk I/O error'),
    );
    const failed = await trySignIn(hub, ada);
    expect([failed.status, failed.cookies]).toEqual([503, []]);
    restore();
    hub.deps.store.users.findForSignIn = unavailable;
    expect((await trySignIn(hub, ada)).status).toBe(503);
  });
});
