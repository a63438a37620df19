import { beforeEach, describe, expect, test } from 'bun:test';
import type { IssuedLink, Session, SignedIn } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  outcomeOf,
  redeem,
  signedIn,
  signIn,
  type TestUser,
  tokenIn,
  tokenOf,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { flushUsers } from '../../access/credentials.ts';

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
const statusesOf = async (...callers: UserCaller[]) => {
  const statuses: number[] = [];
  for (const caller of callers) statuses.push(await statusOf(caller));
  return statuses;
};
const sessionsOf = async (caller: UserCaller, query = '') =>
  (await caller.json<{ items: Session[]; next: string | null }>('GET', `/me/sessions${query}`)).body;
const currentId = async (caller: UserCaller) =>
  (await sessionsOf(caller)).items.find(({ isCurrent }) => isCurrent)?.id ?? '';
const cookieIn = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? '';

test('GET /session returns needsSetup until an account exists', async () => {
  await using empty = await startTestHub();
  const needsSetup = async (headers = {}) =>
    ((await (await empty.fetch('/api/v1/session', { headers })).json()) as SignedIn).needsSetup;
  expect(await needsSetup()).toBe(true);
  const ada = await signedIn(empty);
  for (const headers of [{}, ada.headers]) expect(await needsSetup(headers)).toBeUndefined();
});

describe('sessions', () => {
  test('are listed with client, start and expiry, and the current one is marked', async () => {
    const ada = await createUser(hub);
    hub.setClientAddress('198.51.100.7');
    await trySignIn(hub, ada, { 'user-agent': 'Mozilla/5.0 (X11; Linux)' });
    hub.clock.advance(1_000);
    hub.setClientAddress('192.0.2.1');
    const caller = await signIn(hub, ada);
    await signedIn(hub);
    const { items, next } = await sessionsOf(caller);
    expect([next, items.map(({ isCurrent, address }) => [isCurrent, address])]).toEqual([
      null,
      [
        [true, '192.0.2.1'],
        [false, '198.51.100.7'],
      ],
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
    const ada = await createUser(hub);
    const oldest = await signIn(hub, ada);
    const grace = await signedIn(hub);
    using live = await liveClient(hub, oldest.headers);
    for (let n = 2; n < 50; n += 1) await signIn(hub, ada);
    const second = await signIn(hub, ada);
    expect([await statusOf(oldest), (await sessionsOf(second, '?limit=100')).items.length]).toEqual([200, 50]);
    await Promise.all(Array.from({ length: 4 }, () => signIn(hub, ada)));
    expect(await statusesOf(oldest, second, grace)).toEqual([401, 200, 200]);
    expect((await sessionsOf(second, '?limit=100')).items.length).toBe(50);
    expect(await live.closed).toMatchObject({ code: 4401 });
  });

  test('can be ended one by one from another session', async () => {
    const ada = await createUser(hub);
    const [here, there] = [await signIn(hub, ada), await signIn(hub, ada)];
    const ended = await here.json<Session>('DELETE', `/me/sessions/${await currentId(there)}`);
    expect([ended.status, ended.body.isCurrent, ended.headers.getSetCookie()]).toEqual([200, false, []]);
    expect(await statusesOf(here, there)).toEqual([200, 401]);
    const own = await here.json('DELETE', `/me/sessions/${await currentId(here)}`);
    expect(own.headers.getSetCookie()).toEqual(['hub_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect([ended, own].map(({ headers }) => headers.get('clear-site-data'))).toEqual([null, '"cache"']);
  });

  test('return 401 to a page of another user, and do nothing', async () => {
    const session = await signedIn(hub);
    const outcome = async (userId: string, method: string, path: string) => {
      const headers = { ...session.headers, 'hub-user': userId };
      const response = await hub.fetch(`/api/v1${path}`, { method, headers });
      return `${response.status} ${await response.text()}`;
    };
    for (const [method, path] of [
      ['GET', '/me'],
      ['DELETE', '/session'],
    ] as const) {
      expect(await outcome('user_of_another_tab', method, path)).toMatch(
        /^401 .*This browser is signed in as another user now\. Reload the page\./,
      );
    }
    expect(await outcome(session.user.id, 'GET', '/me')).toStartWith('200');
    // A page asks whose session the browser has.
    expect(await outcome('user_of_another_tab', 'GET', '/session')).toStartWith('200');
  });
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
          const { body } = await adminJson<IssuedLink>(hub, 'POST', `/users/${user.id}/password-reset`);
          return redeem(hub, { token: tokenIn(hub, body.link, '/reset'), password: NEW_PASSWORD, revokeTokens });
        };
        const response = await (how === 'changed' ? change() : reset());
        expect([response.status < 300, response.body.id]).toEqual([true, user.id]);
        const now = await hub.fetch('/api/v1/me', { headers: { cookie: cookieIn(response.headers) } });
        expect([now.status, ...(await statusesOf(here, there))]).toEqual([200, 401, 401]);
        expect([revokeTokens, await statusOf(token)]).toEqual([revokeTokens, revokeTokens === true ? 401 : 200]);
        const [{ action, details } = {}] = (await hub.admin.audit('?limit=1')).items;
        expect([action, details?.tokensRevoked]).toEqual([`password.${how}`, revokeTokens === true]);
        expect((await trySignIn(hub, { ...user, password: NEW_PASSWORD })).status).toBe(201);
      }
    },
  );

  test('when an admin signs them out, and so do their tokens; they can sign in again', async () => {
    const owner = await signedIn(hub, { role: 'owner', name: 'Olga' });
    const [admin, member] = [await signedIn(hub, { role: 'admin' }), await signedIn(hub)];
    const token = await tokenOf(hub, admin.user);
    const signOut = async (caller: UserCaller, { user }: UserCaller) =>
      outcomeOf(await caller.json('POST', `/users/${user.id}/sign-out`));
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
    expect((await adminJson(hub, 'POST', `/users/${owner.user.id}/sign-out`)).status).toBe(200);
    expect(await statusOf(owner)).toBe(401);
  });

  test('when the user is disabled, and so do their tokens, within the same millisecond and permanently', async () => {
    const ada = await createUser(hub);
    const [session, token] = [await signIn(hub, ada), await tokenOf(hub, ada)];
    const after = async (verb: string) => {
      await adminJson(hub, 'POST', `/users/${ada.id}/${verb}`);
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
    return outcomeOf(await caller.json('PUT', '/me/password', body));
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
  const withSession = async (own: TestHub) => {
    const ada: TestUser = await createUser(own);
    return { ada, caller: await signIn(own, ada) };
  };

  test('end exactly 90 days after signing in, however much they are used', async () => {
    await using own = await startTestHub();
    const { caller } = await withSession(own);
    for (let day = 0; day < 80; day += 10) {
      expect(await statusOf(caller)).toBe(200);
      await flushUsers(own.deps);
      own.clock.advance(10 * DAY_MS);
    }
    expect(await statusOf(caller)).toBe(200);
    await flushUsers(own.deps);
    own.clock.advance(10 * DAY_MS - 1);
    expect((await sessionsOf(caller)).items[0]?.expiresAt).toBe('2026-05-30T09:30:00.000Z');
    await flushUsers(own.deps);
    own.clock.advance(1);
    expect(await statusOf(caller)).toBe(401);
  });

  test('end exactly 30 days after the last use, which is shown to within a minute, as that of the account is', async () => {
    await using own = await startTestHub();
    const { ada, caller: used } = await withSession(own);
    const idle = await signIn(own, ada);
    own.clock.advance(20 * DAY_MS);
    own.setClientAddress('198.51.100.9');
    expect(await statusOf(used)).toBe(200);
    await flushUsers(own.deps);
    const last = '2026-03-21T09:30:00.000Z';
    expect((await sessionsOf(used)).items).toContainEqual(
      expect.objectContaining({ isCurrent: true, lastUsedAt: last, address: '198.51.100.9' }) as never,
    );
    expect((await adminJson(own, 'GET', `/users/${ada.id}`)).body.lastSeenAt).toBe(last);
    own.clock.advance(10 * DAY_MS - 1);
    expect([await statusOf(used), (await sessionsOf(used)).items.length]).toEqual([200, 2]);
    own.clock.advance(1);
    expect(await statusesOf(idle, used)).toEqual([401, 200]);
    expect((await sessionsOf(used)).items).toHaveLength(1);
  });
});
