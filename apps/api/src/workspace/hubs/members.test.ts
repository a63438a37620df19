import { describe, expect, test } from 'bun:test';
import type { Hub, Member, Todo } from '@hub/contract';
import { liveClient } from '@hub/testkit/in-process/live-client';
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

  test('creates an event in the Hub and an audit entry with actor and address', async () => {
    await using t = await setUp();
    t.hub.setClientAddress('198.51.100.7');
    await t.add(t.admin, t.outsider);
    const { id } = t.outsider.user;
    expect((await t.events()).at(-1)).toEqual({ event: 'member.added', data: { id, name: 'Otto' } });
    expect(await t.newestEntry()).toMatchObject({
      action: 'member.added',
      actor: { kind: 'user', id: t.admin.user.id, name: 'Grace' },
      address: '198.51.100.7',
      hubId: t.id,
      targetId: id,
      targetName: 'Otto',
    });
  });

  test('returns the same response when repeated, without a second event or audit entry', async () => {
    await using t = await setUp();
    const first = await t.add(t.admin, t.outsider);
    const [events, entry] = [await t.events(), await t.newestEntry()];
    t.hub.clock.advance(60_000);
    const again = await t.add(t.admin, t.outsider);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect([await t.events(), await t.newestEntry()]).toEqual([events, entry]);
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

  test('sends the new member live events and hubs.changed', async () => {
    await using t = await setUp();
    using live = await liveClient(t.hub, t.outsider.headers);
    live.send({ type: 'subscribe', hubId: t.id });
    await live.until((frame): frame is Extract<typeof frame, { type: 'error' }> => frame.type === 'error');
    await t.add(t.admin, t.outsider);
    await live.until(
      (frame): frame is Extract<typeof frame, { type: 'hubs.changed' }> => frame.type === 'hubs.changed',
    );
    expect((await live.subscribe(t.id)).hubId).toBe(t.id);
  });
});

describe('removing a member from a Hub', () => {
  test('hides the Hub from them in lists and by id, and hides its members', async () => {
    await using t = await setUp();
    const { status, body } = await t.remove(t.admin, t.ada);
    expect([status, body.id]).toEqual([200, t.ada.user.id]);
    expect((await t.ada.json<{ items: Hub[] }>('GET', '/hubs')).body.items).toEqual([]);
    for (const path of ['', '/members', '/messages']) {
      const response = await t.ada.json<Rejected>('GET', `/hubs/${t.id}${path}`);
      expect([response.status, response.body.message]).toEqual([404, `There is no Hub ${t.id}.`]);
    }
  });

  test('creates an event in the Hub and an audit entry', async () => {
    await using t = await setUp();
    await t.remove(t.admin, t.ada);
    const { id } = t.ada.user;
    expect((await t.events()).at(-1)).toEqual({ event: 'member.removed', data: { id, name: 'Ada' } });
    expect(await t.newestEntry()).toMatchObject({
      action: 'member.removed',
      actor: { kind: 'user', id: t.admin.user.id },
      hubId: t.id,
      targetId: id,
      targetName: 'Ada',
    });
  });

  test('ends their live view of the Hub', async () => {
    await using t = await setUp();
    using live = await liveClient(t.hub, t.ada.headers);
    await live.subscribe(t.id);
    await t.remove(t.admin, t.ada);
    const { code, hubId } = await live.until(
      (frame): frame is Extract<typeof frame, { type: 'error' }> => frame.type === 'error',
    );
    expect([code, hubId]).toEqual(['not_member', t.id]);
  });

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

  test('returns 404 for users who are not members', async () => {
    await using t = await setUp();
    for (const userId of [t.outsider.user.id, 'usr_unknown']) {
      const { status, body } = await t.admin.json<Rejected>('DELETE', `${t.path}/${userId}`);
      expect([status, body.message]).toEqual([404, `The Hub "Releases" has no member ${userId}.`]);
    }
    const { status, body } = await t.admin.json<Rejected>('DELETE', `${t.path}/%ff`);
    expect([status, body.message]).toEqual([404, 'The Hub "Releases" has no such member.']);
    const withBody = await t.admin.json<Rejected>('DELETE', `${t.path}/${t.ada.user.id}`, { reason: 'gone' });
    expect(withBody.status).toBe(400);
    expect(await t.namesOf(t.ada)).toEqual(['Ada']);
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

  test('cannot be added to a deleted Hub; the error tells admins to restore it', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.id);
    const { status, body } = await t.admin.json<Rejected>('POST', t.path, { userId: t.outsider.user.id });
    expect([status, body.message]).toEqual([404, `The Hub ${t.id} was deleted. Restore it before you add members.`]);
    expect((await t.ada.json('GET', t.path)).status).toBe(404);
  });

  test('return 404 for an unknown Hub and 401 without credentials', async () => {
    await using t = await setUp();
    const paths = (hubId: string) =>
      [
        ['GET', `/hubs/${hubId}/members`],
        ['POST', `/hubs/${hubId}/members`],
        ['DELETE', `/hubs/${hubId}/members/${t.ada.user.id}`],
      ] as const;
    const body = (method: string) => (method === 'POST' ? { userId: t.ada.user.id } : undefined);
    for (const [method, path] of paths('hub_unknown')) {
      const response = await t.admin.json<Rejected>(method, path, body(method));
      expect([response.status, response.body.message]).toEqual([404, 'There is no Hub hub_unknown.']);
    }
    for (const [method, path] of paths(t.id)) {
      expect((await t.hub.fetch(`/api/v1${path}`, { method })).status).toBe(401);
    }
  });
});
