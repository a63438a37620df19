import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { Responsibilities, Role, Todo, User } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  memberOf,
  outcomeOf,
  signedIn,
  trySignIn,
  type UserCaller,
} from '@hub/testkit/in-process/users';
import { emailAddress } from './email-address.ts';

const PASSWORD = 'a good password';

let hub: TestHub;
let admin: UserCaller;
let owner: UserCaller;
beforeEach(async () => {
  hub = await startTestHub();
  owner = await signedIn(hub, { role: 'owner', name: 'Olga' });
  admin = await signedIn(hub, { role: 'admin', name: 'Anton' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const local = (method: string, path: string, body?: unknown) => adminJson(hub, method, path, body);
const roleOf = async (id: string) => (await local('GET', `/users/${id}`)).body.role;
const newUser = (over: object = {}) => ({ email: 'new@example.org', name: 'New', password: PASSWORD, ...over });

describe('an account', () => {
  test('is created by an admin, who chooses the password, with the role member by default', async () => {
    const { status, body } = await admin.json<User>('POST', '/users', newUser({ email: ' New@Example.org ' }));
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^usr_/) as unknown as string,
      name: 'New',
      email: 'new@example.org',
      role: 'member',
      createdAt: '2026-03-01T09:30:00.000Z',
      disabledAt: null,
      lastSeenAt: null,
    });
    expect((await admin.json('GET', `/users/${body.id}`)).body).toEqual(body);
    expect((await trySignIn(hub, { email: 'new@example.org', password: PASSWORD })).status).toBe(201);
    expect((await hub.admin.audit()).items).toContainEqual(
      expect.objectContaining({
        action: 'user.created',
        actor: { kind: 'user', id: admin.user.id, name: 'Anton' },
        targetId: body.id,
        details: { email: 'new@example.org', role: 'member' },
      }) as never,
    );
  });

  test('is unique per e-mail address, in any letter case', async () => {
    await admin.json('POST', '/users', newUser());
    expect(outcomeOf(await admin.json('POST', '/users', newUser({ email: 'NEW@example.org' })))).toBe(
      '409 new@example.org already has an account. Add this user to Hubs instead.',
    );
  });
});

describe('the list of users', () => {
  test('can be read by every member, is newest first and paginated, and includes disabled users', async () => {
    const gone = await createUser(hub);
    await local('POST', `/users/${gone.id}/deactivation`);
    const ids = async (query: string) => {
      const { body } = await admin.json<{ items: User[]; next: string | null }>('GET', `/users${query}`);
      return { ids: body.items.map(({ id }) => id), next: body.next };
    };
    const all = [gone.id, admin.user.id, owner.user.id];
    expect(await ids('')).toEqual({ ids: all, next: null });
    const { next } = await ids('?limit=2');
    expect(await ids(`?limit=2&before=${next}`)).toEqual({ ids: all.slice(2), next: null });
    expect(outcomeOf(await admin.json('GET', '/users?role=admin'))).toStartWith('400 role is not a known parameter');
    const outsider = await hub.fetch('/api/v1/users');
    expect(outsider.status).toBe(401);
  });

  test('says when a user was last seen, but only to admins', async () => {
    const member = await signedIn(hub);
    const seen = async (caller: UserCaller) =>
      (await caller.json<{ items: User[] }>('GET', '/users')).body.items.map(({ lastSeenAt }) => lastSeenAt);
    expect((await seen(admin)).some((at) => at !== null)).toBe(true);
    expect((await seen(member)).every((at) => at === null)).toBe(true);
    expect((await seen(member)).length).toBe(3);
  });
});

describe('roles', () => {
  test('are changed by admins and take effect immediately', async () => {
    const member = await signedIn(hub);
    expect((await member.json('GET', '/invitations')).status).toBe(403);
    expect((await admin.json('PATCH', `/users/${member.user.id}`, { role: 'admin' })).status).toBe(200);
    expect((await member.json('GET', '/invitations')).status).toBe(200);
    await admin.json('PATCH', `/users/${member.user.id}`, { role: 'member' });
    expect((await member.json('GET', '/invitations')).status).toBe(403);
    expect((await hub.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'user.changed',
      details: { from: { role: 'admin' }, to: { role: 'member' } },
    });
  });
});

describe('only owners', () => {
  const ONLY = '403 Only owners can grant the owner role. Ask an owner, or choose another role.';
  const TOUCH = '403 Olga is an owner. Only another owner can do this. Ask an owner.';

  test('can create owners: admins cannot, whether by account, role or invitation', async () => {
    const member = await createUser(hub);
    expect(outcomeOf(await admin.json('POST', '/users', newUser({ role: 'owner' })))).toBe(ONLY);
    expect(outcomeOf(await admin.json('PATCH', `/users/${member.id}`, { role: 'owner' }))).toBe(ONLY);
    expect(outcomeOf(await admin.json('PATCH', `/users/${admin.user.id}`, { role: 'owner' }))).toBe(ONLY);
    const invitation = { email: 'x@example.org', role: 'owner' };
    expect(outcomeOf(await admin.json('POST', '/invitations', invitation))).toBe(ONLY);
    expect(await roleOf(member.id)).toBe('member');

    expect((await owner.json('PATCH', `/users/${member.id}`, { role: 'owner' })).status).toBe(200);
    expect((await owner.json('POST', '/users', newUser({ role: 'owner' }))).status).toBe(201);
    expect((await owner.json('POST', '/invitations', invitation)).status).toBe(201);
    expect(await roleOf(member.id)).toBe('owner');
  });

  test('can change, disable and enable owners, and reset their passwords', async () => {
    const second = await createUser(hub, { role: 'owner', name: 'Otto' });
    const path = `/users/${owner.user.id}`;
    expect(outcomeOf(await admin.json('PATCH', path, { name: 'x' }))).toBe(TOUCH);
    expect(outcomeOf(await admin.json('PATCH', path, { role: 'member' }))).toBe(TOUCH);
    for (const verb of ['deactivation', 'reactivation', 'password-reset']) {
      expect(outcomeOf(await admin.json('POST', `${path}/${verb}`))).toBe(TOUCH);
    }
    expect((await owner.json('GET', '/me')).body).toMatchObject({ name: 'Olga', role: 'owner' });

    for (const [method, verb, body] of [
      ['PATCH', '', { name: 'Ottokar' }],
      ['POST', '/password-reset', undefined],
      ['POST', '/deactivation', undefined],
      ['POST', '/reactivation', undefined],
      ['PATCH', '', { role: 'admin' }],
    ] as const) {
      expect((await owner.json(method, `/users/${second.id}${verb}`, body)).status).toBeLessThan(300);
    }
  });

  test("and the local admin can restore an owner's access", async () => {
    const path = `/users/${owner.user.id}`;
    expect((await local('POST', `${path}/password-reset`)).status).toBe(201);
    expect((await local('POST', '/users', newUser({ role: 'owner' }))).status).toBe(201);
    expect((await local('POST', `${path}/deactivation`)).status).toBe(200);
    expect((await local('POST', `${path}/reactivation`)).status).toBe(200);
    expect((await local('PATCH', path, { role: 'member' })).status).toBe(200);
  });
});

describe('lock-out protection', () => {
  test('the last owner can neither be disabled nor get another role', async () => {
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

  test('a disabled owner does not count as another owner', async () => {
    const { id } = await createUser(hub, { role: 'owner' });
    await owner.json('POST', `/users/${id}/deactivation`);
    expect((await local('POST', `/users/${owner.user.id}/deactivation`)).status).toBe(409);
  });

  test('users cannot disable themselves or change their own role', async () => {
    await createUser(hub, { role: 'owner' });
    for (const [caller, lower] of [
      [admin, 'member'],
      [owner, 'admin'],
    ] as const satisfies [UserCaller, Role][]) {
      const path = `/users/${caller.user.id}`;
      expect(outcomeOf(await caller.json('PATCH', path, { role: lower }))).toStartWith(
        '409 You cannot change your own',
      );
      expect(outcomeOf(await caller.json('POST', `${path}/deactivation`))).toStartWith(
        '409 You cannot disable your own',
      );
      expect((await caller.json('GET', '/users')).status).toBe(200);
    }
  });
});

describe('disabling', () => {
  test('is visible and audited, and changes nothing the second time', async () => {
    const user = await createUser(hub);
    const disable = () => admin.json<User>('POST', `/users/${user.id}/deactivation`);
    expect((await disable()).body.disabledAt).toBe('2026-03-01T09:30:00.000Z');
    hub.clock.advance(1_000);
    expect((await disable()).body.disabledAt).toBe('2026-03-01T09:30:00.000Z');
    const { body } = await admin.json<User>('POST', `/users/${user.id}/reactivation`);
    expect(body.disabledAt).toBeNull();
    await admin.json('POST', `/users/${user.id}/reactivation`);
    const actions = (await hub.admin.audit()).items.map(({ action }) => action);
    expect(actions.filter((action) => action === 'user.disabled' || action === 'user.enabled')).toEqual([
      'user.enabled',
      'user.disabled',
    ]);
  });

  test('ends the invitations and reset links that the user has created, so that none gives access', async () => {
    const member = await createUser(hub);
    const responses = [
      await admin.json<{ link: string }>('POST', '/invitations', { email: 'back@example.org' }),
      await admin.json<{ link: string }>('POST', `/users/${member.id}/password-reset`),
    ];
    await owner.json('POST', `/users/${admin.user.id}/deactivation`);
    for (const { body } of responses) {
      const token = body.link.split('#')[1];
      expect((await local('POST', '/links/inspection', { token })).status).toBe(404);
    }
  });
});

describe('the signed-in user', () => {
  test('is returned with the name of the workspace', async () => {
    await using hub = await startTestHub();
    const caller = await signedIn(hub, { role: 'admin', name: 'Grace' });
    await adminJson(hub, 'PATCH', '/workspace', { name: 'Example Ltd' });
    expect((await caller.json('GET', '/me')).body).toEqual({
      id: caller.user.id,
      name: 'Grace',
      email: caller.user.email,
      role: 'admin',
      createdAt: '2026-03-01T09:30:00.000Z',
      workspace: { name: 'Example Ltd' },
    });
  });

  test('can change only their name, which is audited', async () => {
    await using hub = await startTestHub();
    const caller = await signedIn(hub, { name: 'Ada' });
    expect((await caller.json('PATCH', '/me', { name: ' Grace ' })).body).toMatchObject({ name: 'Grace' });
    expect((await hub.admin.audit('?limit=1')).items[0]).toMatchObject({
      action: 'user.changed',
      actor: { id: caller.user.id },
      details: { from: { name: 'Ada' }, to: { name: 'Grace' } },
    });
    const change = async (body: object) => outcomeOf(await caller.json('PATCH', '/me', body));
    expect(await change({ role: 'owner' })).toStartWith('400 role is not a field');
    expect(await change({ email: 'x@example.org' })).toStartWith('400 email is not a field');
    expect(await change({ name: null })).toStartWith('400 name cannot be empty');
    expect(await change({ name: 'Ada\u202e' })).toStartWith('400 name cannot contain control characters');
    expect(await change({})).toStartWith('400 There are no changes in the body');
  });
});

test('the memberships, keys and to-dos of a user are listed per Hub, even for a disabled account', async () => {
  await using team = await startTeam();
  const { hub, hubId, ada, bob } = team;
  const other = await hub.admin.createHub('Alarms');
  const gone = await hub.admin.createHub('Gone');
  const admin = await memberOf(hub, gone.id, { role: 'admin' });
  for (const id of [gone.id, other.id]) {
    await adminJson(hub, 'POST', `/hubs/${id}/members`, { userId: bob.user.id });
    await bob.json('POST', '/keys', { hubId: id, name: 'of-bob', scopes: ['messages:create'] });
  }
  await adminJson(hub, 'DELETE', `/hubs/${other.id}/members/${bob.user.id}`);
  const { body: revoked } = await bob.json('POST', '/keys', { hubId, name: 'old', scopes: ['notes:create'] });
  await bob.json('POST', `/keys/${String(revoked.id)}/revocation`);
  await bob.json('POST', '/keys', { hubId, name: 'new', scopes: ['notes:create'] });
  const made: Todo[] = [];
  for (const title of ['one', 'two', 'done']) {
    made.push(await team.todo(ada, { title, assigneeId: bob.user.id }));
  }
  await ada.json('PATCH', `/todos/${made[2]?.id}`, { status: 'done' });
  await hub.admin.deleteHub(gone.id);

  const responsibilities = async () =>
    (await admin.json<Responsibilities>('GET', `/users/${bob.user.id}/responsibilities`)).body;
  const expected = {
    items: [
      { hubId: other.id, hubName: 'Alarms', isMember: false, keys: 1, openTodos: 0 },
      { hubId, hubName: 'Releases', isMember: true, keys: 1, openTodos: 2 },
    ],
  };
  expect(await responsibilities()).toEqual(expected);
  await adminJson(hub, 'POST', `/users/${bob.user.id}/deactivation`);
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

test.each([
  '',
  'ada',
  'ada@',
  '@example.org',
  'ada@x@y',
  'a b@x',
  'ada\u200b@x',
  '\u202eada@x',
  'ada@x\u00ad',
  'ada\u3164@x',
  'ada@x\u2800',
  'ada\ufe0f@x',
  'a\u00a0b@x',
])('%j is not a valid address', (typed) => {
  expect(() => emailAddress(typed)).toThrow('email must be an e-mail address, such as ada@example.org');
});
