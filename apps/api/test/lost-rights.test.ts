import { expect, test } from 'bun:test';
import { shared } from '@hub/testkit/in-process/shared';
import { recordsOf, type Team, teamOn } from '@hub/testkit/in-process/team';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, createUser, signIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Store } from '../src/storage/store.ts';

let meanwhile: (() => Promise<unknown>) | null = null;
/** A server on which a test can act after a request was authorized and before its write is committed. */
const hub = shared(() =>
  startTestHub({
    wrapStore: (store: Store): Store => ({
      ...store,
      transaction: async (work) => {
        const happens = meanwhile;
        meanwhile = null;
        await happens?.();
        return store.transaction(work);
      },
    }),
  }),
);
let teams = 0;
const newTeam = (): Promise<Team> => {
  teams += 1;
  return teamOn(hub, [`Ada ${teams}`, `Bob ${teams}`]);
};
type Ask = [method: string, path: string, body?: object];

/** Expects this response to a request during which `happens` runs: its status, and its message if it is given. */
async function expectLate(
  caller: UserCaller,
  [method, path, body]: Ask,
  happens: () => Promise<unknown>,
  [status, message]: [status: number, message?: string | undefined],
): Promise<void> {
  meanwhile = happens;
  const response = await caller.json<{ message?: string }>(method, path, body);
  expect(meanwhile).toBeNull();
  const { message: said } = response.body;
  expect([method, path, response.status, said]).toEqual([method, path, status, message ?? said]);
}

/** Returns every write that a member can make in a Hub. */
async function actionsIn({ ada, bob, hubId, keyId, ...team }: Team): Promise<Ask[]> {
  const message = await team.message(bob, 'one');
  const other = await team.message(bob, 'two');
  const note = await team.note(bob, { content: 'one' });
  const todo = await team.todo(ada, { title: 'one' });
  return [
    ['POST', `/hubs/${hubId}/messages`, { text: 'x' }],
    ['POST', `/hubs/${hubId}/notes`, { content: 'x' }],
    ['POST', `/hubs/${hubId}/todos`, { title: 'x', assigneeId: bob.user.id }],
    ['POST', `/items/${message.id}/replies`, { text: 'x' }],
    ['PUT', `/messages/${message.id}/reactions/👍`],
    ['POST', `/messages/${other.id}/conversion`, { to: 'todo' }],
    ['PATCH', `/messages/${message.id}`, { text: 'x' }],
    ['PATCH', `/notes/${note.id}`, { content: 'x' }],
    ['PATCH', `/todos/${todo.id}`, { status: 'done' }],
    ['DELETE', `/messages/${message.id}`],
    ['DELETE', `/notes/${note.id}`],
    ['DELETE', `/todos/${todo.id}`],
    ['PUT', `/hubs/${hubId}/read`, { seq: 1 }],
    ['PUT', `/me/notifications/hubs/${hubId}`, { mode: 'muted' }],
    ['PUT', `/me/notifications/keys/${keyId}`, { mode: 'muted' }],
    ['POST', '/keys', { hubId, name: 'x', scopes: ['messages:create'] }],
    ['POST', `/keys/${keyId}/rotation`, {}],
    ['POST', `/keys/${keyId}/replacement`, {}],
    ['POST', `/keys/${keyId}/revocation`],
  ];
}

const keyCount = async () => (await hub.store.keys.list({ limit: 100 })).length;

test('a write is rejected with 404, as for a non-member, if the user was removed from the Hub in the meantime', async () => {
  const world = await newTeam();
  const { bob, hubId } = world;
  const actions = await actionsIn(world);
  const keys = await keyCount();
  const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${bob.user.id}`);
  for (const action of actions) {
    await remove();
    const outside = await bob.json<{ message?: string }>(...action);
    await addMember(hub, hubId, bob.user);
    await expectLate(bob, action, remove, [404, outside.body.message]);
    expect([action, (await recordsOf(hub, hubId)).at(-1)?.event]).toEqual([action, 'member.removed']);
    await addMember(hub, hubId, bob.user);
  }
  expect(await keyCount()).toBe(keys);
  expect((await hub.admin.showKey(world.keyId)).state).toBe('active');
});

test('a write is rejected if the session or token ended in the meantime', async () => {
  const world = await newTeam();
  const { bob } = world;
  const settings: Ask[] = [
    ['PATCH', '/me/notifications', { replies: false }],
    ['DELETE', '/me/notifications/quiet-hours'],
    ['DELETE', '/me/avatar'],
  ];
  const actions = [...(await actionsIn(world)).filter(([, path]) => !path.endsWith('/read')), ...settings];
  const seq = await world.seq();
  for (const action of actions) {
    const [session, token] = [await signIn(hub, bob.user), await tokenOf(hub, bob.user)];
    const ended = 'Your session has ended. Sign in again.';
    await expectLate(session, action, () => session.json('DELETE', '/session'), [401, ended]);
    const { body } = await token.json<{ items: { id: string }[] }>('GET', '/me/tokens?limit=1');
    await expectLate(token, action, () => token.json('DELETE', `/me/tokens/${body.items[0]?.id}`), [401]);
  }
  expect(await world.seq()).toBe(seq);
});

test('a write is rejected if it concerns keys and the workspace restricted keys to admins in the meantime', async () => {
  const world = await newTeam();
  const allow = (membersManageKeys: boolean) => hub.admin.raw('PATCH', '/workspace', { membersManageKeys });
  const message = 'In this workspace, only admins can manage keys. Ask an admin.';
  for (const action of (await actionsIn(world)).filter(([, path]) => path.startsWith('/keys'))) {
    await expectLate(world.bob, action, () => allow(false), [403, message]);
    await allow(true);
  }
});

test('a write is rejected if an admin was removed from the Hub or lost the role in the meantime', async () => {
  const { hubId, keyId } = await newTeam();
  const removal = await hub.admin.raw('POST', `/keys/${keyId}/removals`);
  const { id: removalId } = (await removal.json()) as { id: string };
  const admin = await signIn(hub, await createUser(hub, { role: 'admin' }));
  const { id: userId } = admin.user;
  await addMember(hub, hubId, admin.user);
  const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${userId}`);
  const advice = expect.stringContaining('add yourself as a member first');
  await expectLate(admin, ['POST', `/hubs/${hubId}/messages`, { text: 'x' }], remove, [403, advice]);

  const change = (role: string) => hub.admin.raw('PATCH', `/users/${userId}`, { role });
  const state = async () => [
    await hub.store.workspace.find(),
    await hub.store.hubs.list({ limit: 100, filter: 'all' }),
    await hub.store.memberships.find(hubId, userId),
    await hub.store.removals.list({ keyId, limit: 10 }),
  ];
  const before = await state();
  for (const action of [
    ['POST', `/hubs/${hubId}/members`, { userId }],
    ['POST', '/hubs', { name: 'x' }],
    ['PATCH', `/hubs/${hubId}`, { name: 'x' }],
    ['DELETE', `/hubs/${hubId}`],
    ['POST', `/hubs/${hubId}/restoration`],
    ['PATCH', '/workspace', { name: 'x' }],
    ['POST', `/keys/${keyId}/removals`],
    ['DELETE', `/keys/${keyId}/removals/${removalId}`],
    ['DELETE', '/workspace/bot-avatar'],
  ] satisfies Ask[]) {
    await expectLate(admin, action, () => change('member'), [403]);
    await change('admin');
  }
  expect(await state()).toEqual(before);
});

const NEW = 'another password altogether';

test('a new credential does not outlive the session or the account that requested it', async () => {
  const { bob } = await newTeam();
  const { id, password } = bob.user;
  for (const ask of [
    ['PUT', '/me/password', { currentPassword: password, newPassword: NEW }],
    ['POST', '/me/tokens', { name: 'x' }],
  ] satisfies Ask[]) {
    const [session, account] = [await signIn(hub, bob.user), await signIn(hub, bob.user)];
    await expectLate(session, ask, () => session.json('DELETE', '/session'), [401]);
    const disable = async () => {
      for (const verb of ['deactivation', 'reactivation']) await hub.admin.raw('POST', `/users/${id}/${verb}`);
    };
    await expectLate(account, ask, disable, [401]);
    for (const ended of [session, account]) expect((await ended.fetch('/api/v1/me')).status).toBe(401);
    // The password is unchanged.
    expect((await (await signIn(hub, bob.user)).fetch('/api/v1/me')).status).toBe(200);
  }
  expect(await hub.store.users.listTokens({ userId: id, limit: 10 })).toEqual([]);
});

const account = (role: string) => ({ email: 'eve@example.org', name: 'Eve', password: NEW, role });
const invitation = (role: string) => ({ email: 'eve@example.org', role });

test('a former admin gives no rights to anyone if they became a member or were disabled in the meantime', async () => {
  const { bob } = await newTeam();
  const gone = await createUser(hub);
  await hub.admin.raw('POST', `/users/${gone.id}/deactivation`);
  const user = await createUser(hub, { role: 'admin' });
  const path = `/users/${user.id}`;
  await signIn(hub, user);
  const before = await (await hub.admin.raw('GET', '/users')).text();
  for (const action of [
    ['POST', '/users', account('admin')],
    ['PATCH', `/users/${bob.user.id}`, { role: 'admin' }],
    ['POST', `/users/${gone.id}/reactivation`],
    ['POST', `/users/${bob.user.id}/deactivation`],
    ['POST', `/users/${bob.user.id}/password-reset`],
    ['POST', '/invitations', invitation('admin')],
  ] satisfies Ask[]) {
    const demote = () => hub.admin.raw('PATCH', path, { role: 'member' });
    const message = 'Only workspace admins can do this. Ask an admin.';
    await expectLate(await signIn(hub, user), action, demote, [403, message]);
    await hub.admin.raw('PATCH', path, { role: 'admin' });
    await expectLate(await signIn(hub, user), action, () => hub.admin.raw('POST', `${path}/deactivation`), [401]);
    await hub.admin.raw('POST', `${path}/reactivation`);
  }
  expect(await (await hub.admin.raw('GET', '/users')).text()).toBe(before);
  expect(await (await hub.admin.raw('GET', '/invitations')).json()).toMatchObject({ items: [] });
});

test('a former owner who became an admin in the meantime makes nobody an owner', async () => {
  const { bob } = await newTeam();
  const other = await createUser(hub, { role: 'owner' });
  const owner = await signIn(hub, await createUser(hub, { role: 'owner' }));
  const path = `/users/${owner.user.id}`;
  for (const action of [
    ['POST', '/users', account('owner')],
    ['PATCH', `/users/${bob.user.id}`, { role: 'owner' }],
    ['PATCH', `/users/${other.id}`, { role: 'admin' }],
    ['POST', `/users/${other.id}/deactivation`],
    ['POST', `/users/${other.id}/password-reset`],
    ['POST', '/invitations', invitation('owner')],
  ] satisfies Ask[]) {
    await expectLate(owner, action, () => hub.admin.raw('PATCH', path, { role: 'admin' }), [403]);
    await hub.admin.raw('PATCH', path, { role: 'owner' });
  }
  expect((await hub.store.users.find(other.id))?.role).toBe('owner');
  expect((await hub.store.users.find(bob.user.id))?.role).toBe('member');
});

test('a sign-in is rejected if the password changed while it was checked', async () => {
  const { bob } = await newTeam();
  const { email, password } = bob.user;
  const other = await signIn(hub, bob.user);
  const change = () => other.json('PUT', '/me/password', { currentPassword: password, newPassword: NEW });
  const message = 'Your account was just changed. Sign in again.';
  await expectLate(bob, ['POST', '/session', { email, password }], change, [401, message]);
});
