import { describe, expect, test } from 'bun:test';
import type { Role } from '@hub/contract';
import { operations } from '@hub/contract/operations';
import { outcomeOf } from '@hub/testkit/admin';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  addMember,
  createUser,
  signedIn,
  signIn,
  tokenOf,
  type UserCaller,
  uploadFile,
} from '@hub/testkit/in-process/users';

const MINUTE_MS = 60_000;
const CONFIRM = '403 Confirm your password first: you last entered it more than 15 minutes ago. Nothing was changed.';

const hub = shared(startTestHub);
const owner = shared(() => signedIn(hub, { role: 'owner' }));
const token = shared(() => tokenOf(hub, owner.user));

let last = 0;
const unused = () => {
  last += 1;
  return last;
};
const unusedEmail = () => `new-${unused()}@example.org`;
const newAccount = () => ({ email: unusedEmail(), name: `New ${unused()}`, password: 'a good password' });
const newUser = async (role: Role = 'member') => (await createUser(hub, { role })).id;
const disabledUser = async (role: Role = 'member') => {
  const id = await newUser(role);
  await hub.admin.json('POST', `/users/${id}/deactivation`);
  return id;
};
const newHub = async ({ isDeleted = false, members = [] as string[] } = {}) => {
  const { id } = await hub.admin.createHub();
  for (const member of members) await addMember(hub, id, { id: member });
  if (isDeleted) await hub.admin.json('DELETE', `/hubs/${id}`);
  return id;
};

const newFile = async () => (await uploadFile(owner, await newHub({ members: [owner.user.id] }), 'a.json', '{}')).id;
const startedLogin = async () => {
  const { userCode } = await hub.admin.request('POST /device-logins', { body: { name: 'hubctl' } });
  return { userCode, isApproved: true };
};

const otherKeyManagers = async () => !(await hub.store.workspace.find()).membersManageKeys;

type Prepared = [path: string, body?: object];
const membership = async (userId: string, members: string[] = []): Promise<Prepared> => [
  `/hubs/${await newHub({ members })}/members`,
  { userId },
];
/** A request of one operation, in a state in which it can succeed. Each call prepares another one. */
type Case = [operation: string, what: string, prepare: () => Promise<Prepared>];

/** Requests that let someone in, or show what one cannot read. */
const ASKED: Case[] = [
  ['PUT /me/email', 'an address', async () => ['/me/email', { email: owner.user.email }]],
  ['POST /me/tokens', 'a token', async () => ['/me/tokens', { name: 'hubctl' }]],
  ['POST /device-logins/decision', 'a program', async () => ['/device-logins/decision', await startedLogin()]],
  ['POST /users', 'a member', async () => ['/users', newAccount()]],
  ['POST /users', 'an owner', async () => ['/users', { ...newAccount(), role: 'owner' }]],
  ['POST /invitations', 'a member', async () => ['/invitations', { email: unusedEmail() }]],
  ['POST /invitations', 'an admin', async () => ['/invitations', { email: unusedEmail(), role: 'admin' }]],
  ['POST /users/{userId}/reactivation', 'a member', async () => [`/users/${await disabledUser()}/reactivation`]],
  ['POST /users/{userId}/reactivation', 'an admin', async () => [`/users/${await disabledUser('admin')}/reactivation`]],
  ['POST /users/{userId}/password-reset', 'a user', async () => [`/users/${await newUser()}/password-reset`]],
  ['DELETE /users/{userId}/factors', 'a user', async () => [`/users/${await newUser()}/factors`]],
  ['PATCH /users/{userId}', 'a role', async () => [`/users/${await newUser()}`, { role: 'admin' }]],
  ['POST /hubs/{hubId}/members', 'oneself, in a Hub that one cannot read', () => membership(owner.user.id)],
  ['POST /hubs/{hubId}/members', 'another user, in a Hub one cannot read', async () => membership(await newUser())],
  ['POST /hubs/{hubId}/restoration', 'a Hub', async () => [`/hubs/${await newHub({ isDeleted: true })}/restoration`]],
  ['PATCH /workspace', 'who manages keys', async () => ['/workspace', { membersManageKeys: await otherKeyManagers() }]],
  ['GET /backups/files/{fileId}', 'a file of any Hub', async () => [`/backups/files/${await newFile()}`]],
  ['PATCH /workspace', 'whose accounts need a factor', async () => ['/workspace', { secondFactor: 'admins' }]],
  ['PATCH /workspace', 'how long keys last', async () => ['/workspace', { longestKeyLifetimeDays: 1_000 + unused() }]],
];

/** Tested in `factors.test.ts`: tokens and the local admin have no factors. */
const OWN_FACTORS = ['POST /me/factors', 'DELETE /me/factors/{factorId}', 'POST /me/recovery-codes'];

/** Requests of the same operations that let no one in. */
const NOT_ASKED: Case[] = [
  ['PATCH /users/{userId}', 'a name', async () => [`/users/${await newUser()}`, { name: `Bob ${unused()}` }]],
  ['PATCH /workspace', 'a name', async () => ['/workspace', { name: `Example ${unused()}` }]],
  ['POST /hubs/{hubId}/members', 'a user', async () => membership(await newUser(), [owner.user.id])],
];

const send = async (caller: Pick<UserCaller, 'json'>, operation: string, [path, body]: Prepared) => {
  const response = await caller.json(operation.split(' ')[0] ?? '', path, body);
  expect(response.headers.has('hub-confirmation')).toBe(outcomeOf(response) === CONFIRM);
  return outcomeOf(response);
};

describe('a session in which the password was last entered more than 15 minutes ago', () => {
  /** Returns what each kind of caller gets for a request of its own. */
  const outcomes = async ([operation, , prepare]: Case) => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const fresh = await signIn(hub, owner.user);
    const prepared = await prepare();
    const before = (await hub.admin.audit()).items[0]?.id;
    const old = await send(owner, operation, prepared);
    const isUnchanged = (await hub.admin.audit()).items[0]?.id === before;
    const others = [];
    for (const caller of [fresh, token, hub.admin]) others.push(await send(caller, operation, await prepare()));
    return { old, isUnchanged, others: others.map((outcome) => outcome.slice(0, 3)) };
  };
  const DONE = expect.stringMatching(/^20/) as string;
  /** Returns what a fresh session, a token and the local admin get. The latter two have no password. */
  const allowed = (operation: string, what: string): string[] => {
    if (operation === 'POST /me/tokens') return ['201', '403', '403'];
    if (['PUT /me/email', 'POST /device-logins/decision'].includes(operation)) return ['200', '403', '403'];
    // A leaked token must not make an admin who locks its owner out.
    const isForSessions = ['an admin', 'an owner', 'a role'].includes(what);
    return [DONE, isForSessions ? '403' : DONE, DONE];
  };

  test.each(ASKED)('gets 403 with Hub-Confirmation from %s: %s', async (...[operation, what, prepare]) => {
    const others = allowed(operation, what);
    expect(await outcomes([operation, what, prepare])).toEqual({ old: CONFIRM, isUnchanged: true, others });
  });

  test.each(NOT_ASKED)('is not asked by %s: %s', async (...[operation, what, prepare]) => {
    const { old, others } = await outcomes([operation, what, prepare]);
    expect([old, ...others]).toEqual([DONE, ...allowed(operation, what)]);
  });

  test('is asked by exactly the operations that the OpenAPI document marks', async () => {
    const { paths } = (await (await hub.fetch('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { 'x-confirmation'?: string }>>;
    };
    const marked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation['x-confirmation'] !== undefined)
        .map(([method]) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
    );
    expect(marked.sort()).toEqual([...new Set([...ASKED.map(([operation]) => operation), ...OWN_FACTORS])].sort());
    hub.clock.advance(15 * MINUTE_MS + 1);
    const others = Object.keys(operations).filter(
      (each) => !marked.includes(each) && !/^GET|^DELETE .session$/.test(each),
    );
    for (const operation of others) {
      const path = operation.replace(/^\w+ /, '').replace(/{\w+}/g, 'none');
      expect([operation, await send(owner, operation, [path, {}])]).not.toEqual([operation, CONFIRM]);
    }
  });

  test('is asked before anything else is checked, and can go on for exactly 15 minutes once it has confirmed', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    expect(await send(owner, 'POST /users', ['/users', { email: 'wrong' }])).toBe(CONFIRM);
    const confirmedUntil = new Date(hub.clock.now() + 15 * MINUTE_MS).toISOString();
    const { password } = owner.user;
    expect((await owner.json('POST', '/session/confirmation', { password })).body).toEqual({ confirmedUntil });
    hub.clock.advance(15 * MINUTE_MS);
    expect(await send(owner, 'POST /users', ['/users', newAccount()])).toBe('201');
    hub.clock.advance(1);
    expect(await send(owner, 'POST /users', ['/users', newAccount()])).toBe(CONFIRM);
    // Tokens and the local admin have nothing to confirm.
    expect((await token.json('POST', '/session/confirmation', { password })).status).toBe(403);
    expect((await hub.admin.json('POST', '/session/confirmation', { password })).status).toBe(403);
  });

  test('gets 400 for a wrong password, and stays as it is', async () => {
    hub.clock.advance(15 * MINUTE_MS + 1);
    const guess = await owner.json('POST', '/session/confirmation', { password: 'a wrong guess' });
    expect(outcomeOf(guess)).toBe('400 The password is incorrect. Enter the password you sign in with.');
    expect(await owner.outcome('POST', '/me/tokens', { name: 'hubctl' })).toBe(CONFIRM);
    expect((await owner.json('GET', '/me')).status).toBe(200);
  });
});
