import { describe, expect, test } from 'bun:test';
import type { Hub, Member, Todo } from '@hub/contract';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

interface Rejected {
  message: string;
}

/** Sets up a Hub with a member, an admin who is not a member, and another user. */
async function setUp() {
  const hub = await startTestHub();
  const { id } = await hub.admin.createHub('Releases');
  const admin = await signedIn(hub, { role: 'admin', name: 'Grace' });
  const ada = await signedIn(hub, { name: 'Ada' });
  const outsider = await signedIn(hub, { name: 'Otto' });
  const path = `/hubs/${id}/members`;
  const add = (caller: UserCaller, { user }: UserCaller) => caller.json<Member>('POST', path, { userId: user.id });
  const remove = (caller: UserCaller, { user }: UserCaller) =>
    caller.json<Member & Rejected>('DELETE', `${path}/${user.id}`);
  const namesOf = async (caller: UserCaller) =>
    (await caller.json<{ items: Member[] }>('GET', path)).body.items.map(({ name }) => name);
  await add(admin, ada);
  const events = async () => (await hub.store.events.read(id, 0, 100)).map(({ event, data }) => ({ event, data }));
  const newestEntry = async () => (await hub.admin.audit('?limit=1')).items[0];
  const dispose = () => hub[Symbol.asyncDispose]();
  return {
    hub,
    id,
    path,
    admin,
    ada,
    outsider,
    add,
    remove,
    namesOf,
    events,
    newestEntry,
    [Symbol.asyncDispose]: dispose,
  };
}

describe('adding a member to a Hub', () => {
  test('gives the user access to the Hub and its members', async () => {
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
    expect(await t.namesOf(t.outsider)).toEqual(['Otto', 'Ada']);
    expect((await t.outsider.json<Hub>('GET', `/hubs/${t.id}`)).body).toMatchObject({ isMember: true });
  });

  test('returns 404 for an unknown user and 409 for a disabled one', async () => {
    await using t = await setUp();
    const statusAndMessageOf = async (userId: unknown) => {
      const { status, body } = await t.admin.json<Rejected>('POST', t.path, { userId });
      return `${status} ${body.message}`;
    };
    expect(await statusAndMessageOf('usr_unknown')).toBe('404 There is no user usr_unknown.');
    expect(await statusAndMessageOf(undefined)).toBe('400 userId is required in a membership');
    expect(await statusAndMessageOf(7)).toStartWith('400 userId ');
    const otto = await createUser(t.hub, { name: 'Otto Weber' });
    await t.hub.admin.raw('POST', `/users/${otto.id}/deactivation`);
    expect(await statusAndMessageOf(otto.id)).toBe(
      '409 The account of Otto Weber is disabled. Enable it before you add them to a Hub.',
    );
    await t.hub.admin.raw('POST', `/users/${t.ada.user.id}/deactivation`);
    expect((await t.add(t.admin, t.ada)).status).toBe(201);
  });

  test('lets admins add themselves, which is audited and gives them read access', async () => {
    await using t = await setUp();
    const read = async () => (await t.admin.json<Rejected>('GET', `/hubs/${t.id}/messages`)).status;
    expect(await read()).toBe(403);
    expect((await t.add(t.admin, t.admin)).status).toBe(201);
    expect(await read()).toBe(200);
    const { id } = t.admin.user;
    expect(await t.newestEntry()).toMatchObject({ action: 'member.added', actor: { id }, targetId: id });
  });
});

describe('removing a member from a Hub', () => {
  test('lets members remove themselves, with a session or a token', async () => {
    await using t = await setUp();
    expect((await t.remove(t.ada, t.ada)).status).toBe(200);
    expect(await t.newestEntry()).toMatchObject({ action: 'member.removed', actor: { id: t.ada.user.id } });
    await t.add(t.admin, t.outsider);
    expect((await t.remove(await tokenOf(t.hub, t.outsider.user), t.outsider)).status).toBe(200);
    expect((await t.admin.json<{ items: Member[] }>('GET', t.path)).body.items).toEqual([]);
  });

  test('keeps to-dos assigned to them, so that the other members can reassign them', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    const assigneeId = t.ada.user.id;
    const { body: todo } = await t.outsider.json<Todo>('POST', `/hubs/${t.id}/todos`, { title: 'Renew', assigneeId });
    await t.remove(t.admin, t.ada);
    const { items } = (await t.outsider.json<{ items: Todo[] }>('GET', `/hubs/${t.id}/todos`)).body;
    expect(items[0]).toMatchObject({ id: todo.id, assignee: { id: assigneeId, name: 'Ada' } });
  });
});

describe('the members of a Hub', () => {
  test('are listed for members and admins, with pagination', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    expect(await t.namesOf(t.ada)).toEqual(['Otto', 'Ada']);
    expect(await t.namesOf(t.admin)).toEqual(['Otto', 'Ada']);
    const local = (await (await t.hub.admin.raw('GET', t.path)).json()) as { items: Member[] };
    expect(local.items).toHaveLength(2);
    const page = async (query: string) =>
      (await t.ada.json<{ items: Member[]; next: string | null }>('GET', `${t.path}${query}`)).body;
    const first = await page('?limit=1');
    expect([first.items.map(({ name }) => name), first.next]).toEqual([['Otto'], t.outsider.user.id]);
    const second = await page(`?limit=1&before=${first.next}`);
    expect([second.items.map(({ name }) => name), second.next]).toEqual([['Ada'], null]);
    expect((await t.ada.json('GET', `${t.path}?limit=0`)).status).toBe(400);
  });

  test('are added and removed by admins only: members get 403, non-members 404', async () => {
    await using t = await setUp();
    const third = await signedIn(t.hub);
    expect((await t.add(t.ada, third)).status).toBe(403);
    expect((await t.add(t.outsider, t.outsider)).status).toBe(403);
    await t.add(t.admin, third);
    const { status, body } = await t.remove(t.ada, third);
    expect([status, body.message]).toEqual([
      403,
      'Only workspace admins can remove other members from a Hub. You can leave it yourself.',
    ]);
    for (const response of [
      await t.outsider.json<Rejected>('GET', t.path),
      await t.remove(t.outsider, third),
      await t.remove(t.outsider, t.outsider),
    ]) {
      expect([response.status, response.body.message]).toEqual([404, `There is no Hub ${t.id}.`]);
    }
    expect(await t.namesOf(t.admin)).toHaveLength(2);
  });
});
