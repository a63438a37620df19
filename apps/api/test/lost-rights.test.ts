import { describe, expect, test } from 'bun:test';
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
/** Returns the response to a request during which `happens` runs. */
async function during(caller: UserCaller, [method, path, body]: Ask, happens: () => Promise<unknown>) {
  meanwhile = happens;
  const { status, body: response } = await caller.json<{ message?: string }>(method, path, body);
  expect(meanwhile).toBeNull();
  return { status, message: response.message };
}

type Ask = [method: string, path: string, body?: object];

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
    ['POST', `/messages/${message.id}/replies`, { text: 'x' }],
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

describe('a write is rejected', () => {
  test('with 404, as for a non-member, if the user was removed from the Hub in the meantime', async () => {
    const world = await newTeam();
    const { bob, hubId } = world;
    const actions = await actionsIn(world);
    const keys = await keyCount();
    for (const action of actions) {
      const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${bob.user.id}`);
      const late = await during(bob, action, remove);
      const [method, path, body] = action;
      const outside = await bob.json<{ message?: string }>(method, path, body);
      expect([action, late]).toEqual([action, { status: outside.status, message: outside.body.message }]);
      expect([action, late.status]).toEqual([action, 404]);
      expect([action, (await recordsOf(hub, hubId)).at(-1)?.event]).toEqual([action, 'member.removed']);
      await addMember(hub, hubId, bob.user);
    }
    expect(await keyCount()).toBe(keys);
    expect((await hub.admin.showKey(world.keyId)).state).toBe('active');
  });

  test('if the session or token ended in the meantime', async () => {
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
      const session = await signIn(hub, bob.user);
      const token = await tokenOf(hub, bob.user);
      expect([action, await during(session, action, () => session.json('DELETE', '/session'))]).toEqual([
        action,
        { status: 401, message: 'Your session has ended. Sign in again.' },
      ]);
      const { body } = await token.json<{ items: { id: string }[] }>('GET', '/me/tokens?limit=1');
      const revoke = () => token.json('DELETE', `/me/tokens/${body.items[0]?.id}`);
      expect([action, (await during(token, action, revoke)).status]).toEqual([action, 401]);
    }
    expect(await world.seq()).toBe(seq);
  });

  test('if it concerns keys and the workspace restricted keys to admins in the meantime', async () => {
    const world = await newTeam();
    const { bob } = world;
    const allow = (membersManageKeys: boolean) => hub.admin.raw('PATCH', '/workspace', { membersManageKeys });
    for (const action of (await actionsIn(world)).filter(([, path]) => path.startsWith('/keys'))) {
      expect([action, await during(bob, action, () => allow(false))]).toEqual([
        action,
        { status: 403, message: 'In this workspace, only admins can manage keys. Ask an admin.' },
      ]);
      await allow(true);
    }
  });

  test('if an admin was removed from the Hub or lost the role in the meantime', async () => {
    const world = await newTeam();
    const { hubId, keyId } = world;
    const removal = await hub.admin.raw('POST', `/keys/${keyId}/removals`);
    const { id: removalId } = (await removal.json()) as { id: string };
    const admin = await signIn(hub, await createUser(hub, { role: 'admin' }));
    const { id: userId } = admin.user;
    await addMember(hub, hubId, admin.user);
    const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${userId}`);
    const late = await during(admin, ['POST', `/hubs/${hubId}/messages`, { text: 'x' }], remove);
    expect(late).toEqual({ status: 403, message: expect.stringContaining('add yourself as a member first') });

    const change = (role: string) => hub.admin.raw('PATCH', `/users/${userId}`, { role });
    const actions: Ask[] = [
      ['POST', `/hubs/${hubId}/members`, { userId }],
      ['POST', '/hubs', { name: 'x' }],
      ['PATCH', `/hubs/${hubId}`, { name: 'x' }],
      ['DELETE', `/hubs/${hubId}`],
      ['POST', `/hubs/${hubId}/restoration`],
      ['PATCH', '/workspace', { name: 'x' }],
      ['POST', `/keys/${keyId}/removals`],
      ['DELETE', `/keys/${keyId}/removals/${removalId}`],
      ['DELETE', '/workspace/bot-avatar'],
    ];
    const state = async () => [
      await hub.store.workspace.find(),
      await hub.store.hubs.list({ limit: 100, filter: 'all' }),
      await hub.store.memberships.find(hubId, userId),
      await hub.store.removals.list({ keyId, limit: 10 }),
    ];
    const before = await state();
    for (const action of actions) {
      expect([action, (await during(admin, action, () => change('member'))).status]).toEqual([action, 403]);
      await change('admin');
    }
    expect(await state()).toEqual(before);
  });
});

const NEW = 'another password altogether';

describe('no new credential outlives', () => {
  const tokens: Ask = ['POST', '/me/tokens', { name: 'x' }];

  test.each(['session', 'account'])('the %s that requested it', async (what) => {
    const world = await newTeam();
    const { bob } = world;
    const { id } = bob.user;
    const change: Ask = ['PUT', '/me/password', { currentPassword: bob.user.password, newPassword: NEW }];
    for (const ask of [change, tokens]) {
      const caller = await signIn(hub, bob.user);
      const end = async () => {
        if (what === 'session') return caller.json('DELETE', '/session');
        await hub.admin.raw('POST', `/users/${id}/deactivation`);
        return hub.admin.raw('POST', `/users/${id}/reactivation`);
      };
      expect([ask[1], (await during(caller, ask, end)).status]).toEqual([ask[1], 401]);
      expect((await caller.fetch('/api/v1/me')).status).toBe(401);
      // The password is unchanged.
      expect((await (await signIn(hub, bob.user)).fetch('/api/v1/me')).status).toBe(200);
    }
    expect(await hub.store.users.listTokens({ userId: id, limit: 10 })).toEqual([]);
  });
});

describe('a former admin gives no rights to anyone', () => {
  const account = (role: string) => ({ email: 'eve@example.org', name: 'Eve', password: NEW, role });
  const invitation = (role: string) => ({ email: 'eve@example.org', role });

  test('if they became a member or were disabled in the meantime', async () => {
    const world = await newTeam();
    const { bob } = world;
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
      const demoted = await during(await signIn(hub, user), action, () =>
        hub.admin.raw('PATCH', path, { role: 'member' }),
      );
      const message = 'Only workspace admins can do this. Ask an admin.';
      expect([action, demoted]).toEqual([action, { status: 403, message }]);
      await hub.admin.raw('PATCH', path, { role: 'admin' });
      const disabled = await during(await signIn(hub, user), action, () =>
        hub.admin.raw('POST', `${path}/deactivation`),
      );
      expect([action, disabled.status]).toEqual([action, 401]);
      await hub.admin.raw('POST', `${path}/reactivation`);
    }
    expect(await (await hub.admin.raw('GET', '/users')).text()).toBe(before);
    expect(await (await hub.admin.raw('GET', '/invitations')).json()).toMatchObject({ items: [] });
  });

  test('as an owner, if they became an admin in the meantime', async () => {
    const world = await newTeam();
    const { bob } = world;
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
      const late = await during(owner, action, () => hub.admin.raw('PATCH', path, { role: 'admin' }));
      expect([action, late.status]).toEqual([action, 403]);
      await hub.admin.raw('PATCH', path, { role: 'owner' });
    }
    expect((await hub.store.users.find(other.id))?.role).toBe('owner');
    expect((await hub.store.users.find(bob.user.id))?.role).toBe('member');
  });
});

test('a sign-in is rejected if the password changed while it was checked', async () => {
  const world = await newTeam();
  const { bob } = world;
  const { email, password } = bob.user;
  const other = await signIn(hub, bob.user);
  const change = () => other.json('PUT', '/me/password', { currentPassword: password, newPassword: NEW });
  expect(await during(bob, ['POST', '/session', { email, password }], change)).toEqual({
    status: 401,
    message: 'Your account was just changed. Sign in again.',
  });
});
