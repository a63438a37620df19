import { describe, expect, test } from 'bun:test';
import type { Store } from '../store/store.ts';
import { addMember, createPerson, type PersonCaller, signIn, tokenOf } from '../testing/people.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { recordsOf, teamOn } from '../testing/team.ts';

/** What wait for their turn to write, of the store and of its parts. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  items: ['create', 'change', 'delete', 'react', 'convert'],
  keys: ['issue', 'succeed', 'revoke'],
  memberships: ['add', 'markRead'],
  people: ['createToken', 'changePassword'],
};

/** A server on which something happens after a request was judged, and before what it writes is written. */
async function startWithMeanwhile() {
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
    /** The answer to a request during which this happens. */
    during: async (caller: PersonCaller, [method, path, body]: Ask, happens: () => Promise<unknown>) => {
      meanwhile = happens;
      const { status, body: answer } = await caller.json<{ message?: string }>(method, path, body);
      expect(meanwhile).toBeNull();
      return { status, message: answer.message };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

type Ask = [method: string, path: string, body?: object];
type World = Awaited<ReturnType<typeof startWithMeanwhile>>;

/** All that a member can write in a Hub. */
async function deedsIn({ ada, bob, hubId, keyId, ...team }: World): Promise<Ask[]> {
  const message = await team.message(bob, 'one');
  const other = await team.message(bob, 'two');
  const note = await team.note(bob, { content: 'one' });
  const todo = await team.todo(ada, { title: 'one' });
  return [
    ['POST', `/hubs/${hubId}/messages`, { text: 'x' }],
    ['POST', `/hubs/${hubId}/notes`, { content: 'x' }],
    ['POST', `/hubs/${hubId}/todos`, { title: 'x', assigneeId: bob.person.id }],
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
    ['POST', '/keys', { hubId, name: 'x', scopes: ['messages:create'] }],
    ['POST', `/keys/${keyId}/rotation`, {}],
    ['POST', `/keys/${keyId}/replacement`, {}],
    ['POST', `/keys/${keyId}/revocation`],
  ];
}

const keyCount = async (hub: TestHub) => (await hub.store.keys.list({ limit: 100 })).length;

describe('what somebody asked for is not done', () => {
  test('after he was removed from the Hub, and he gets what an outsider gets', async () => {
    await using world = await startWithMeanwhile();
    const { bob, hub, hubId, during } = world;
    const deeds = await deedsIn(world);
    const keys = await keyCount(hub);
    for (const deed of deeds) {
      const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${bob.person.id}`);
      const late = await during(bob, deed, remove);
      const [method, path, body] = deed;
      const outside = await bob.json<{ message?: string }>(method, path, body);
      expect([deed, late]).toEqual([deed, { status: outside.status, message: outside.body.message }]);
      expect([deed, late.status]).toEqual([deed, 404]);
      expect([deed, recordsOf(hub, hubId).at(-1)?.event]).toEqual([deed, 'member.removed']);
      await addMember(hub, hubId, bob.person);
    }
    expect(await keyCount(hub)).toBe(keys);
    expect((await hub.admin.showKey(world.keyId)).state).toBe('active');
  });

  test('after his session or his token has ended', async () => {
    await using world = await startWithMeanwhile();
    const { bob, hub, during } = world;
    const deeds = (await deedsIn(world)).filter(([, path]) => !path.endsWith('/read'));
    const seq = world.seq();
    for (const deed of deeds) {
      const session = await signIn(hub, bob.person);
      const token = await tokenOf(hub, bob.person);
      expect([deed, await during(session, deed, () => session.json('DELETE', '/session'))]).toEqual([
        deed,
        { status: 401, message: 'You are not signed in any more. Sign in again.' },
      ]);
      const { body } = await token.json<{ items: { id: string }[] }>('GET', '/me/tokens?limit=1');
      const revoke = () => token.json('DELETE', `/me/tokens/${body.items[0]?.id}`);
      expect([deed, (await during(token, deed, revoke)).status]).toEqual([deed, 401]);
    }
    expect(world.seq()).toBe(seq);
  });

  test('to keys, after the workspace has kept them to its admins', async () => {
    await using world = await startWithMeanwhile();
    const { bob, hub, during } = world;
    const allow = (membersManageKeys: boolean) => hub.admin.raw('PATCH', '/workspace', { membersManageKeys });
    for (const deed of (await deedsIn(world)).filter(([, path]) => path.startsWith('/keys'))) {
      expect([deed, await during(bob, deed, () => allow(false))]).toEqual([
        deed,
        { status: 403, message: 'In this workspace only admins manage keys. Ask one of them.' },
      ]);
      await allow(true);
    }
  });

  test('by an admin who is told how to get in, once he was removed, or who is none any more', async () => {
    await using world = await startWithMeanwhile();
    const { hub, hubId, during } = world;
    const admin = await signIn(hub, await createPerson(hub, { role: 'admin' }));
    const { id: personId } = admin.person;
    await addMember(hub, hubId, admin.person);
    const remove = () => hub.admin.raw('DELETE', `/hubs/${hubId}/members/${personId}`);
    const late = await during(admin, ['POST', `/hubs/${hubId}/messages`, { text: 'x' }], remove);
    expect(late).toEqual({ status: 403, message: expect.stringContaining('Add yourself to its members first') });

    const demote = () => hub.admin.raw('PATCH', `/people/${personId}`, { role: 'member' });
    expect((await during(admin, ['POST', `/hubs/${hubId}/members`, { personId }], demote)).status).toBe(403);
    expect(await hub.store.memberships.find(hubId, personId)).toBeNull();
  });
});

const NEW = 'another password altogether';

describe('no way in outlasts', () => {
  const tokens: Ask = ['POST', '/me/tokens', { name: 'x' }];

  test.each(['session', 'account'])('the %s with which it was asked for', async (what) => {
    await using world = await startWithMeanwhile();
    const { bob, hub, during } = world;
    const { id } = bob.person;
    const change: Ask = ['PUT', '/me/password', { currentPassword: bob.person.password, newPassword: NEW }];
    for (const ask of [change, tokens]) {
      const caller = await signIn(hub, bob.person);
      const end = async () => {
        if (what === 'session') return caller.json('DELETE', '/session');
        await hub.admin.raw('POST', `/people/${id}/deactivation`);
        return hub.admin.raw('POST', `/people/${id}/reactivation`);
      };
      expect([ask[1], (await during(caller, ask, end)).status]).toEqual([ask[1], 401]);
      expect((await caller.fetch('/api/v1/me')).status).toBe(401);
      // The password is still the former one.
      expect((await (await signIn(hub, bob.person)).fetch('/api/v1/me')).status).toBe(200);
    }
    expect(await hub.store.people.listTokens({ personId: id, limit: 10 })).toEqual([]);
  });
});
