import { expect, test } from 'bun:test';
import type { User } from '@hub/contract';
import { outcomeOf } from '@hub/testkit/admin';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, inspect, memberOf, signedIn, trySignIn } from '@hub/testkit/in-process/users';
import { emailAddress } from './email-address.ts';

const PASSWORD = 'a good password';

const hub = perTest(startTestHub);
const owner = perTest(() => signedIn(hub, { role: 'owner', name: 'Olga' }));
const admin = perTest(() => signedIn(hub, { role: 'admin', name: 'Anton' }));

const local = (method: string, path: string, body?: unknown) => hub.admin.json(method, path, body);
const roleOf = async (id: string) => (await local('GET', `/users/${id}`)).body.role;
const newUser = (over: object = {}) => ({ email: 'new@example.org', name: 'New', password: PASSWORD, ...over });

test('an account is created by an admin, who chooses the password, once per e-mail address in any letter case', async () => {
  const { status, body } = await admin.json('POST', '/users', newUser({ email: ' New@Example.org ' }));
  const [id, details] = [expect.stringMatching(/^usr_/), { email: 'new@example.org', role: 'member' }];
  const user = { ...details, name: 'New', createdAt: '2026-03-01T09:30:00.000Z', disabledAt: null, lastSeenAt: null };
  expect([status, body]).toEqual([201, { id, ...user }]);
  expect((await admin.json('GET', `/users/${body.id}`)).body).toEqual(body);
  expect((await trySignIn(hub, { email: user.email, password: PASSWORD })).status).toBe(201);
  const entry = { action: 'user.created', actor: { kind: 'user', id: admin.user.id, name: 'Anton' }, details };
  expect((await hub.admin.audit(`?targetId=${body.id}`)).items).toMatchObject([entry]);
  expect(await admin.outcome('POST', '/users', newUser({ email: 'NEW@example.org' }))).toBe(
    '409 new@example.org already has an account. Add this user to Hubs instead.',
  );
});

test('the list of users is newest first and paginated, includes disabled users, and says only to admins when they were last seen', async () => {
  const gone = await createUser(hub);
  await local('POST', `/users/${gone.id}/deactivation`);
  const list = async (caller = admin, query: object = {}) => {
    const { items, next } = await caller.request('GET /users', { query });
    return { ids: items.map(({ id }) => id), next, seen: items.map(({ lastSeenAt }) => lastSeenAt) };
  };
  const all = [gone.id, admin.user.id, owner.user.id];
  expect(await list()).toMatchObject({ ids: all, next: null, seen: [null, expect.any(String), expect.any(String)] });
  const { next } = await list(admin, { limit: 2 });
  expect(await list(admin, { limit: 2, before: next })).toMatchObject({ ids: all.slice(2), next: null });
  const member = await signedIn(hub);
  expect(await list(member)).toMatchObject({ ids: [member.user.id, ...all], seen: Array(4).fill(null) });
});

test('only owners make others owners, and change, disable or enable owners and reset their passwords', async () => {
  const [member, second] = [await createUser(hub), await createUser(hub, { role: 'owner', name: 'Ottokar' })];
  const at = `/users/${second.id}`;
  const grant = '403 Only owners can grant the owner role. Ask an owner, or choose another role.';
  const change = '403 Ottokar is an owner. Only another owner can do this. Ask an owner.';
  for (const [error, method, path, body] of [
    [grant, 'POST', '/users', newUser({ role: 'owner' })],
    [grant, 'PATCH', `/users/${member.id}`, { role: 'owner' }],
    [grant, 'PATCH', `/users/${admin.user.id}`, { role: 'owner' }],
    [grant, 'POST', '/invitations', { email: 'x@example.org', role: 'owner' }],
    [change, 'PATCH', at, { name: 'Ottokar' }],
    [change, 'POST', `${at}/password-reset`],
    [change, 'POST', `${at}/deactivation`],
    [change, 'POST', `${at}/reactivation`],
    [change, 'PATCH', at, { role: 'admin' }],
  ] as const) {
    // The admin has become an owner by then.
    const caller = await signedIn(hub, { role: 'admin' });
    expect([path, await caller.outcome(method, path, body)]).toEqual([path, error]);
    expect((await owner.json(method, path, body)).status).toBeLessThan(300);
  }
  expect([await roleOf(member.id), await roleOf(second.id)]).toEqual(['owner', 'admin']);
});

test('the last owner that is not disabled can neither be disabled nor get another role', async () => {
  const { id } = await createUser(hub, { role: 'owner' });
  await owner.json('POST', `/users/${id}/deactivation`);
  const path = `/users/${owner.user.id}`;
  const error = '409 Olga is the only owner. Make someone else an owner first.';
  expect(outcomeOf(await local('PATCH', path, { role: 'admin' }))).toBe(error);
  expect(outcomeOf(await local('POST', `${path}/deactivation`))).toBe(error);
  expect((await owner.json('GET', '/me')).body).toMatchObject({ role: 'owner' });
});

test('of two owners, only one loses the role if both should at the same moment', async () => {
  const { id } = await createUser(hub, { role: 'owner' });
  const demote = (userId: string) => local('PATCH', `/users/${userId}`, { role: 'admin' });
  const changed = await Promise.all([demote(owner.user.id), demote(id)]);
  expect(changed.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('users cannot disable themselves or change their own role', async () => {
  await createUser(hub, { role: 'owner' });
  for (const { json, user } of [admin, owner]) {
    const change = await json('PATCH', `/users/${user.id}`, { role: 'member' });
    expect(outcomeOf(change)).toStartWith('409 You cannot change your own');
    const disable = await json('POST', `/users/${user.id}/deactivation`);
    expect(outcomeOf(disable)).toStartWith('409 You cannot disable your own');
  }
});

test('disabling is visible and audited, and changes nothing the second time', async () => {
  const user = await createUser(hub);
  const set = async (verb: string) => (await admin.json<User>('POST', `/users/${user.id}/${verb}`)).body.disabledAt;
  expect(await set('deactivation')).toBe('2026-03-01T09:30:00.000Z');
  hub.clock.advance(1_000);
  expect(await set('deactivation')).toBe('2026-03-01T09:30:00.000Z');
  for (let n = 0; n < 2; n += 1) expect(await set('reactivation')).toBeNull();
  const actions = (await hub.admin.audit(`?targetId=${user.id}`)).items.map(({ action }) => action);
  expect(actions).toEqual(['user.enabled', 'user.disabled', 'user.created']);
});

test('disabling ends the invitations and reset links that the user has created, so that none gives access', async () => {
  const { id: userId } = await createUser(hub);
  const links = [
    await admin.request('POST /invitations', { body: { email: 'back@example.org' } }),
    await admin.request('POST /users/{userId}/password-reset', { userId }),
  ];
  await owner.json('POST', `/users/${admin.user.id}/deactivation`);
  for (const { link } of links) expect((await inspect(hub, link.split('#')[1] ?? '')).status).toBe(404);
});

test('the signed-in user is returned with the name of the workspace, and can change only their name, which is audited', async () => {
  const caller = await signedIn(hub, { role: 'admin', name: 'Ada' });
  const { id, email } = caller.user;
  await local('PATCH', '/workspace', { name: 'Example Ltd' });
  expect((await caller.json('PATCH', '/me', { name: ' Grace ' })).body).toMatchObject({ name: 'Grace' });
  const entry = { action: 'user.changed', actor: { id }, details: { from: { name: 'Ada' }, to: { name: 'Grace' } } };
  expect((await hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
  for (const [body, error] of [
    [{ role: 'owner' }, '400 role is not a field'],
    [{ email: 'x@example.org' }, '400 email is not a field'],
    [{ name: null }, '400 name cannot be empty'],
    [{ name: 'Ada\u202e' }, '400 name cannot contain control characters'],
    [{}, '400 There are no changes in the body'],
  ] as const)
    expect(await caller.outcome('PATCH', '/me', body)).toStartWith(error);
  const me = { id, name: 'Grace', email, role: 'admin', workspace: { name: 'Example Ltd' } };
  expect((await caller.json('GET', '/me')).body).toMatchObject(me);
});

test('the memberships, keys and to-dos of a user are listed per Hub, even for a disabled account', async () => {
  await using team = await startTeam();
  const { hub, hubId, ada, bob } = team;
  const other = await hub.admin.createHub('Alarms');
  const gone = await hub.admin.createHub('Gone');
  const admin = await memberOf(hub, gone.id, { role: 'admin' });
  for (const id of [gone.id, other.id]) {
    await hub.admin.json('POST', `/hubs/${id}/members`, { userId: bob.user.id });
    await bob.json('POST', '/keys', { hubId: id, name: 'of-bob', scopes: ['messages:create'] });
  }
  await hub.admin.json('DELETE', `/hubs/${other.id}/members/${bob.user.id}`);
  const { id: revoked } = await bob.call('POST', '/keys', { hubId, name: 'old', scopes: ['notes:create'] });
  await bob.json('POST', `/keys/${revoked}/revocation`);
  await bob.json('POST', '/keys', { hubId, name: 'new', scopes: ['notes:create'] });
  for (const title of ['one', 'two', 'done']) await team.todo(ada, { title, assigneeId: bob.user.id });
  await ada.json('PATCH', `/todos/${(await team.todos()).items[0]?.id}`, { status: 'done' });
  await hub.admin.deleteHub(gone.id);

  const responsibilities = () => admin.request('GET /users/{userId}/responsibilities', { userId: bob.user.id });
  const expected = {
    items: [
      { hubId: other.id, hubName: 'Alarms', isMember: false, keys: 1, openTodos: 0 },
      { hubId, hubName: 'Releases', isMember: true, keys: 1, openTodos: 2 },
    ],
  };
  expect(await responsibilities()).toEqual(expected);
  await hub.admin.json('POST', `/users/${bob.user.id}/deactivation`);
  expect(await responsibilities()).toEqual(expected);
});

/** Addresses as typed and as stored. Each address has one spelling, so that a mailbox can have only one account. */
const SAME: [string, string][] = [
  [' Ada@Example.ORG\n', 'ada@example.org'],
  ['A\u0308da@example.org', 'äda@example.org'],
  ['\u212aelvin@example.org', 'kelvin@example.org'],
  // Lower-casing decomposes these characters, so they must be composed again.
  ['a\u03aa\u0301@example.org', 'a\u0390@example.org'],
  ['A\u0390@example.org', 'a\u0390@example.org'],
];
test.each(SAME)('%j is stored as %j', (typed, kept) => {
  expect(emailAddress(typed)).toBe(kept);
});

test('other texts are no valid addresses', () => {
  const wrong = ['', 'ada', 'ada@', '@example.org', 'ada@x@y', 'a b@x', 'a\u00a0b@x'];
  const hidden = ['ada\u200b@x', '\u202eada@x', 'ada@x\u00ad', 'ada\u3164@x', 'ada@x\u2800', 'ada\ufe0f@x'];
  for (const typed of [...wrong, ...hidden]) {
    expect(() => emailAddress(typed)).toThrow('email must be an e-mail address, such as ada@example.org');
  }
});
