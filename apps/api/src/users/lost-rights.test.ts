import { describe, expect, test } from 'bun:test';
import type { Store } from '../storage/store.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { recordsOf, teamOn } from '../testing/team.ts';
import { addMember, createUser, signIn, tokenOf, type UserCaller } from '../testing/users.ts';

/** The methods that wait for their turn to write, in the store and its parts. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  users: ['createToken', 'changePassword'],
};

/** Starts a server on which a test can act after a request was authorized and before its write is committed. */
async function startWithDelayedWrites() {
  let meanwhile: (() => Promise<unknown>) | null = null;
  const delayed = <T extends object>(part: T, names: readonly string[]): T =>
    new Proxy(part, {
      get: (target, name, receiver) => {
        const value: unknown = Reflect.get(target, name, receiver);
        if (typeof value !== 'function') return value;
        if (!names.includes(String(name))) return value.bind(target);
        return async (...args: unknown[]) => {
          const happens = meanwhile;
          meanwhile = null;
          await happens?.();
          return value.apply(target, args);
        };
      },
    });
  const wrapStore = (store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const part: unknown = Reflect.get(target, name, target);
        if (name === 'transaction') return delayed(target, ['transaction']).transaction;
        if (typeof part === 'function') return part.bind(target);
        const names = WRITES[String(name)];
        return names && typeof part === 'object' && part !== null ? delayed(part, names) : part;
      },
    });
  const hub = await startTestHub({ wrapStore });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return {
    ...team,
    hub,
    /** Returns the response to a request during which `meanwhile` runs. */
    during: async (caller: UserCaller, [method, path, body]: Ask, happens: () => Promise<unknown>) => {
      meanwhile = happens;
      const { status, body: response } = await caller.json<{ message?: string }>(method, path, body);
      expect(meanwhile).toBeNull();
      return { status, message: response.message };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

type Ask = [method: string, path: string, body?: object];
type Fixture = Awaited<ReturnType<typeof startWithDelayedWrites>>;

/** Returns every write that a member can make in a Hub. */
async function actionsIn({ ada, bob, hubId, keyId, ...team }: Fixture): Promise<Ask[]> {
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
    ['PUT', `/me/notices/hubs/${hubId}`, { mode: 'muted' }],
    ['PUT', `/me/notices/keys/${keyId}`, { mode: 'muted' }],
    ['POST', '/keys', { hubId, name: 'x', scopes: ['messages:create'] }],
    ['POST', `/keys/${keyId}/rotation`, {}],
    ['POST', `/keys/${keyId}/replacement`, {}],
    ['POST', `/keys/${keyId}/revocation`],
  ];
}

const keyCount = async (hub: TestHub) => (await hub.store.keys.list({ limit: 100 })).length;

describe('a write is rejected', () => {
  test('with 404, as for a non-member, if the user was removed from the Hub in the meantime', async () => {
    await using world = await startWithDelayedWrites();
    const { bob, hub, hubId, during } = world;
    const actions = await actionsIn(world);
    const keys = await keyCount(hub);
    for (const action of actions) {
      const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${bob.user.id}`);
      const late = await during(bob, action, remove);
      const [method, path, body] = action;
      const outside = await bob.json<{ message?: string }>(method, path, body);
      expect([action, late]).toEqual([action, { status: outside.status, message: outside.body.message }]);
      expect([action, late.status]).toEqual([action, 404]);
      expect([action, recordsOf(hub, hubId).at(-1)?.event]).toEqual([action, 'member.removed']);
      await addMember(hub, hubId, bob.user);
    }
    expect(await keyCount(hub)).toBe(keys);
    expect((await hub.admin.showKey(world.keyId)).state).toBe('active');
  });

  test('if the session or token ended in the meantime', async () => {
    await using world = await startWithDelayedWrites();
    const { bob, hub, during } = world;
    const settings: Ask[] = [
      ['PATCH', '/me/notices', { replies: false }],
      ['DELETE', '/me/notices/quiet-hours'],
      ['DELETE', '/me/picture'],
    ];
    const actions = [...(await actionsIn(world)).filter(([, path]) => !path.endsWith('/read')), ...settings];
    const seq = world.seq();
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
    expect(world.seq()).toBe(seq);
  });

  test('if it concerns keys and the workspace restricted keys to admins in the meantime', async () => {
    await using world = await startWithDelayedWrites();
    const { bob, hub, during } = world;
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
    await using world = await startWithDelayedWrites();
    const { hub, hubId, during } = world;
    const admin = await signIn(hub, await createUser(hub, { role: 'admin' }));
    const { id: personId } = admin.user;
    await addMember(hub, hubId, admin.user);
    const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${personId}`);
    const late = await during(admin, ['POST', `/hubs/${hubId}/messages`, { text: 'x' }], remove);
    expect(late).toEqual({ status: 403, message: expect.stringContaining('add yourself as a member first') });

    const change = (role: string) => hub.admin.raw('PATCH', `/people/${personId}`, { role });
    const actions: Ask[] = [
      ['POST', `/hubs/${hubId}/members`, { personId }],
      ['POST', '/hubs', { name: 'x' }],
      ['PATCH', `/hubs/${hubId}`, { name: 'x' }],
      ['DELETE', `/hubs/${hubId}`],
      ['POST', `/hubs/${hubId}/restoration`],
      ['PATCH', '/workspace', { name: 'x' }],
    ];
    const state = async () => [
      await hub.store.workspace.find(),
      await hub.store.hubs.list({ limit: 10, filter: 'all' }),
      await hub.store.memberships.find(hubId, personId),
    ];
    const before = await state();
    for (const action of actions) {
      expect([action, (await during(admin, action, () => change('member'))).status]).toEqual([action, 403]);
      await change('admin');
    }
    expect(await state()).toEqual(before);
  });

  test('if it needs the admin role and the user lost it in the meantime', async () => {
    await using world = await startWithDelayedWrites();
    const { hub, keyId, during } = world;
    const removal = await hub.admin.raw('POST', `/keys/${keyId}/removals`);
    const { id: removalId } = (await removal.json()) as { id: string };
    const admin = await signIn(hub, await createUser(hub, { role: 'admin' }));
    const setRole = (role: string) => hub.admin.raw('PATCH', `/people/${admin.user.id}`, { role });
    for (const action of [
      ['POST', `/keys/${keyId}/removals`],
      ['DELETE', `/keys/${keyId}/removals/${removalId}`],
      ['DELETE', '/workspace/bot-picture'],
    ] satisfies Ask[]) {
      expect([action, await during(admin, action, () => setRole('member'))]).toEqual([
        action,
        { status: 403, message: 'Your role was just changed: this requires the admin role.' },
      ]);
      await setRole('admin');
    }
    expect(await hub.store.removals.list({ keyId, limit: 10 })).toMatchObject([{ id: removalId, undoneAt: null }]);
  });
});

const NEW = 'another password altogether';

describe('no new credential outlives', () => {
  const tokens: Ask = ['POST', '/me/tokens', { name: 'x' }];

  test.each(['session', 'account'])('the %s that requested it', async (what) => {
    await using world = await startWithDelayedWrites();
    const { bob, hub, during } = world;
    const { id } = bob.user;
    const change: Ask = ['PUT', '/me/password', { currentPassword: bob.user.password, newPassword: NEW }];
    for (const ask of [change, tokens]) {
      const caller = await signIn(hub, bob.user);
      const end = async () => {
        if (what === 'session') return caller.json('DELETE', '/session');
        await hub.admin.raw('POST', `/people/${id}/deactivation`);
        return hub.admin.raw('POST', `/people/${id}/reactivation`);
      };
      expect([ask[1], (await during(caller, ask, end)).status]).toEqual([ask[1], 401]);
      expect((await caller.fetch('/api/v1/me')).status).toBe(401);
      // The password is unchanged.
      expect((await (await signIn(hub, bob.user)).fetch('/api/v1/me')).status).toBe(200);
    }
    expect(await hub.store.users.listTokens({ personId: id, limit: 10 })).toEqual([]);
  });
});
