import { describe, expect, test } from 'bun:test';
import type { Hub, Member, Todo } from '@hub/contract';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import {
  adminJson,
  createUser,
  memberOf,
  outcomeOf,
  signedIn,
  tokenOf,
  type UserCaller,
} from '@hub/testkit/in-process/users';

/** Sets up a Hub with a member, an admin who is not a member, and another user. */
async function setUp() {
  const hub = await startTestHub();
  const { id } = await hub.admin.createHub('Releases');
  const admin = await signedIn(hub, { role: 'admin', name: 'Grace' });
  const ada = await memberOf(hub, id, { name: 'Ada' });
  const outsider = await signedIn(hub, { name: 'Otto' });
  const path = `/hubs/${id}/members`;
  const add = (caller: UserCaller, { user }: UserCaller) => caller.json<Member>('POST', path, { userId: user.id });
  const remove = (caller: UserCaller, { user }: UserCaller) => caller.json('DELETE', `${path}/${user.id}`);
  const list = async (caller: UserCaller, query = '') => {
    const { body } = await caller.json<{ items: Member[]; next: string | null }>('GET', path + query);
    return { names: body.items.map(({ name }) => name), next: body.next };
  };
  const newestEntry = async () => (await hub.admin.audit('?limit=1')).items[0];
  const dispose = () => hub[Symbol.asyncDispose]();
  return { ...{ hub, id, path, admin, ada, outsider, add, remove }, list, newestEntry, [Symbol.asyncDispose]: dispose };
}

describe('adding a member to a Hub', () => {
  test('gives the user access to the Hub and its members; admins can add themselves, which is audited', async () => {
    await using t = await setUp();
    const { status, body } = await t.add(t.admin, t.outsider);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: t.outsider.user.id,
      name: 'Otto',
      email: t.outsider.user.email,
      role: 'member',
      disabledAt: null,
      joinedAt: '2026-03-01T09:30:00.000Z',
    });
    expect((await t.list(t.outsider)).names).toEqual(['Otto', 'Ada']);
    expect((await t.outsider.json<Hub>('GET', `/hubs/${t.id}`)).body).toMatchObject({ isMember: true });
    const read = async () => (await t.admin.json('GET', `/hubs/${t.id}/messages`)).status;
    expect(await read()).toBe(403);
    expect((await t.add(t.admin, t.admin)).status).toBe(201);
    expect(await read()).toBe(200);
    const { id } = t.admin.user;
    expect(await t.newestEntry()).toMatchObject({ action: 'member.added', actor: { id }, targetId: id });
  });

  test('returns 404 for an unknown user and 409 for a disabled one', async () => {
    await using t = await setUp();
    const otto = await createUser(t.hub, { name: 'Otto Weber' });
    for (const { id } of [otto, t.ada.user]) await t.hub.admin.raw('POST', `/users/${id}/deactivation`);
    for (const [userId, outcome] of [
      ['usr_unknown', '404 There is no user usr_unknown.'],
      [undefined, '400 userId is required in a membership'],
      [7, '400 userId '],
      [otto.id, '409 The account of Otto Weber is disabled. Enable it before you add them to a Hub.'],
      // Nothing changes for a member.
      [t.ada.user.id, '201'],
    ] as const) {
      expect(outcomeOf(await t.admin.json('POST', t.path, { userId }))).toStartWith(outcome);
    }
  });
});

describe('removing a member from a Hub', () => {
  test('lets members remove themselves, with a session or a token, and keeps to-dos assigned to them', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    const body = { title: 'Renew', assigneeId: t.ada.user.id };
    const { body: todo } = await t.outsider.json<Todo>('POST', `/hubs/${t.id}/todos`, body);
    expect((await t.remove(t.ada, t.ada)).status).toBe(200);
    expect(await t.newestEntry()).toMatchObject({ action: 'member.removed', actor: { id: t.ada.user.id } });
    const { items } = (await t.outsider.json<{ items: Todo[] }>('GET', `/hubs/${t.id}/todos`)).body;
    expect(items).toMatchObject([{ id: todo.id, assignee: { id: t.ada.user.id, name: 'Ada' } }]);
    expect((await t.remove(await tokenOf(t.hub, t.outsider.user), t.outsider)).status).toBe(200);
    expect((await t.list(t.admin)).names).toEqual([]);
  });
});

describe('the members of a Hub', () => {
  test('are listed for members and admins, with pagination', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    for (const caller of [t.ada, t.admin]) expect((await t.list(caller)).names).toEqual(['Otto', 'Ada']);
    expect((await adminJson<{ items: Member[] }>(t.hub, 'GET', t.path)).body.items).toHaveLength(2);
    const next = t.outsider.user.id;
    expect(await t.list(t.ada, '?limit=1')).toEqual({ names: ['Otto'], next });
    expect(await t.list(t.ada, `?limit=1&before=${next}`)).toEqual({ names: ['Ada'], next: null });
  });

  test('are removed by admins and themselves only: other members get 403, non-members 404', async () => {
    await using t = await setUp();
    const third = await memberOf(t.hub, t.id);
    expect(outcomeOf(await t.remove(t.ada, third))).toBe(
      '403 Only workspace admins can remove other members from a Hub. You can leave it yourself.',
    );
    for (const user of [third, t.outsider]) {
      expect(outcomeOf(await t.remove(t.outsider, user))).toBe(`404 There is no Hub ${t.id}.`);
    }
    expect((await t.list(t.admin)).names).toHaveLength(2);
  });
});
