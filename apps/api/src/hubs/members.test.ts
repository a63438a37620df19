import { describe, expect, test } from 'bun:test';
import type { Hub, Member, Todo } from '@hub/contract';
import { liveClient } from '../testing/live-client.ts';
import { createPerson, type PersonCaller, signedIn, tokenOf } from '../testing/people.ts';
import { startTestHub } from '../testing/start-test-hub.ts';

interface Refused {
  message: string;
}

/** A Hub, an admin who does not belong to it, a member, and somebody else. */
async function setUp() {
  const hub = await startTestHub();
  const { id } = await hub.admin.createHub('Releases');
  const admin = await signedIn(hub, { role: 'admin', name: 'Grace' });
  const ada = await signedIn(hub, { name: 'Ada' });
  const outsider = await signedIn(hub, { name: 'Otto' });
  const path = `/hubs/${id}/members`;
  const add = (caller: PersonCaller, { person }: PersonCaller) =>
    caller.json<Member>('POST', path, { personId: person.id });
  const remove = (caller: PersonCaller, { person }: PersonCaller) =>
    caller.json<Member & Refused>('DELETE', `${path}/${person.id}`);
  const namesOf = async (caller: PersonCaller) =>
    (await caller.json<{ items: Member[] }>('GET', path)).body.items.map(({ name }) => name);
  await add(admin, ada);
  const events = () => hub.store.events.read(id, 0, 100).map(({ event, data }) => ({ event, data }));
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

describe('a person who is added to a Hub', () => {
  test('belongs to it from then on, and sees the others who do', async () => {
    await using t = await setUp();
    const { status, body } = await t.add(t.admin, t.outsider);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: t.outsider.person.id,
      name: 'Otto',
      email: t.outsider.person.email,
      role: 'member',
      disabledAt: null,
      joinedAt: '2026-03-01T09:30:00.000Z',
    });
    expect(await t.namesOf(t.outsider)).toEqual(['Otto', 'Ada']);
    expect((await t.outsider.json<Hub>('GET', `/hubs/${t.id}`)).body).toMatchObject({ isMember: true });
  });

  test('is in an event of the Hub, and in the audit log with who did it and from where', async () => {
    await using t = await setUp();
    t.hub.comeFrom('198.51.100.7');
    await t.add(t.admin, t.outsider);
    const { id } = t.outsider.person;
    expect(t.events().at(-1)).toEqual({ event: 'member.added', data: { id, name: 'Otto' } });
    expect(await t.newestEntry()).toMatchObject({
      action: 'member.added',
      actor: { kind: 'person', id: t.admin.person.id, name: 'Grace' },
      address: '198.51.100.7',
      hubId: t.id,
      targetId: id,
      targetName: 'Otto',
    });
  });

  test('again stays as before: the same answer, no second event, no second entry', async () => {
    await using t = await setUp();
    const first = await t.add(t.admin, t.outsider);
    const [events, entry] = [t.events(), await t.newestEntry()];
    t.hub.clock.advance(60_000);
    const again = await t.add(t.admin, t.outsider);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect([t.events(), await t.newestEntry()]).toEqual([events, entry]);
  });

  test('must be there and not be disabled', async () => {
    await using t = await setUp();
    const refusalOf = async (personId: unknown) => {
      const { status, body } = await t.admin.json<Refused>('POST', t.path, { personId });
      return `${status} ${body.message}`;
    };
    expect(await refusalOf('usr_unknown')).toBe('404 There is no person usr_unknown.');
    expect(await refusalOf(undefined)).toBe('400 personId is required in a membership');
    expect(await refusalOf(7)).toStartWith('400 personId ');
    const otto = await createPerson(t.hub, { name: 'Otto' });
    await t.hub.admin.raw('POST', `/people/${otto.id}/deactivation`);
    expect(await refusalOf(otto.id)).toBe('409 The account of Otto is disabled. Enable it before you add it to a Hub.');
  });

  test('may be the admin himself, which is audited: before he cannot read the Hub, and then he can', async () => {
    await using t = await setUp();
    const read = async () => (await t.admin.json<Refused>('GET', `/hubs/${t.id}/messages`)).status;
    expect(await read()).toBe(403);
    expect((await t.add(t.admin, t.admin)).status).toBe(201);
    expect(await read()).toBe(200);
    const { id } = t.admin.person;
    expect(await t.newestEntry()).toMatchObject({ action: 'member.added', actor: { id }, targetId: id });
  });

  test('follows it live from then on, and hears that the Hubs have changed', async () => {
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

describe('a person who is removed from a Hub', () => {
  test('finds it no more: not in the list, not by its id, nor who belongs to it', async () => {
    await using t = await setUp();
    const { status, body } = await t.remove(t.admin, t.ada);
    expect([status, body.id]).toEqual([200, t.ada.person.id]);
    expect((await t.ada.json<{ items: Hub[] }>('GET', '/hubs')).body.items).toEqual([]);
    for (const path of ['', '/members', '/messages']) {
      const answer = await t.ada.json<Refused>('GET', `/hubs/${t.id}${path}`);
      expect([answer.status, answer.body.message]).toEqual([404, `There is no Hub ${t.id}.`]);
    }
  });

  test('is in an event of the Hub and in the audit log', async () => {
    await using t = await setUp();
    await t.remove(t.admin, t.ada);
    const { id } = t.ada.person;
    expect(t.events().at(-1)).toEqual({ event: 'member.removed', data: { id, name: 'Ada' } });
    expect(await t.newestEntry()).toMatchObject({
      action: 'member.removed',
      actor: { kind: 'person', id: t.admin.person.id },
      hubId: t.id,
      targetId: id,
      targetName: 'Ada',
    });
  });

  test('loses the live view of it', async () => {
    await using t = await setUp();
    using live = await liveClient(t.hub, t.ada.headers);
    await live.subscribe(t.id);
    await t.remove(t.admin, t.ada);
    const { code, hubId } = await live.until(
      (frame): frame is Extract<typeof frame, { type: 'error' }> => frame.type === 'error',
    );
    expect([code, hubId]).toEqual(['not_member', t.id]);
  });

  test('may have left of himself, with a session or with a token', async () => {
    await using t = await setUp();
    expect((await t.remove(t.ada, t.ada)).status).toBe(200);
    expect(await t.newestEntry()).toMatchObject({ action: 'member.removed', actor: { id: t.ada.person.id } });
    await t.add(t.admin, t.outsider);
    expect((await t.remove(await tokenOf(t.hub, t.outsider.person), t.outsider)).status).toBe(200);
    expect((await t.admin.json<{ items: Member[] }>('GET', t.path)).body.items).toEqual([]);
  });

  test('keeps the to-dos that are assigned to him: the others decide who takes them over', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    const assigneeId = t.ada.person.id;
    const { body: todo } = await t.outsider.json<Todo>('POST', `/hubs/${t.id}/todos`, { title: 'Renew', assigneeId });
    await t.remove(t.admin, t.ada);
    const { items } = (await t.outsider.json<{ items: Todo[] }>('GET', `/hubs/${t.id}/todos`)).body;
    expect(items[0]).toMatchObject({ id: todo.id, assignee: { id: assigneeId, name: 'Ada' } });
  });

  test('must have belonged to it', async () => {
    await using t = await setUp();
    for (const personId of [t.outsider.person.id, 'usr_unknown']) {
      const { status, body } = await t.admin.json<Refused>('DELETE', `${t.path}/${personId}`);
      expect([status, body.message]).toEqual([404, `The Hub "Releases" has no member ${personId}.`]);
    }
    const { status, body } = await t.admin.json<Refused>('DELETE', `${t.path}/%ff`);
    expect([status, body.message]).toEqual([404, 'The Hub "Releases" has no such member.']);
    const withBody = await t.admin.json<Refused>('DELETE', `${t.path}/${t.ada.person.id}`, { reason: 'gone' });
    expect(withBody.status).toBe(400);
    expect(await t.namesOf(t.ada)).toEqual(['Ada']);
  });
});

describe('the members of a Hub', () => {
  test('are listed for its members and for admins, page by page', async () => {
    await using t = await setUp();
    await t.add(t.admin, t.outsider);
    expect(await t.namesOf(t.ada)).toEqual(['Otto', 'Ada']);
    expect(await t.namesOf(t.admin)).toEqual(['Otto', 'Ada']);
    const local = (await (await t.hub.admin.raw('GET', t.path)).json()) as { items: Member[] };
    expect(local.items).toHaveLength(2);
    const page = async (query: string) =>
      (await t.ada.json<{ items: Member[]; next: string | null }>('GET', `${t.path}${query}`)).body;
    const first = await page('?limit=1');
    expect([first.items.map(({ name }) => name), first.next]).toEqual([['Otto'], t.outsider.person.id]);
    const second = await page(`?limit=1&before=${first.next}`);
    expect([second.items.map(({ name }) => name), second.next]).toEqual([['Ada'], null]);
    expect((await t.ada.json('GET', `${t.path}?limit=0`)).status).toBe(400);
  });

  test('are added by admins alone, and removed by them: a member gets 403, and outsiders the 404 of no Hub', async () => {
    await using t = await setUp();
    const third = await signedIn(t.hub);
    expect((await t.add(t.ada, third)).status).toBe(403);
    expect((await t.add(t.outsider, t.outsider)).status).toBe(403);
    await t.add(t.admin, third);
    const { status, body } = await t.remove(t.ada, third);
    expect([status, body.message]).toEqual([
      403,
      'Only admins of the workspace remove others from a Hub. You can leave it yourself.',
    ]);
    for (const answer of [
      await t.outsider.json<Refused>('GET', t.path),
      await t.remove(t.outsider, third),
      await t.remove(t.outsider, t.outsider),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([404, `There is no Hub ${t.id}.`]);
    }
    expect(await t.namesOf(t.admin)).toHaveLength(2);
  });

  test('of a deleted Hub cannot be added, and the refusal tells an admin how they can be', async () => {
    await using t = await setUp();
    await t.hub.admin.deleteHub(t.id);
    const { status, body } = await t.admin.json<Refused>('POST', t.path, { personId: t.outsider.person.id });
    expect([status, body.message]).toEqual([404, `The Hub ${t.id} was deleted. Restore it before you add members.`]);
    expect((await t.ada.json('GET', t.path)).status).toBe(404);
  });

  test('of a Hub that does not exist are 404, and from outside everything is 401', async () => {
    await using t = await setUp();
    const paths = (hubId: string) =>
      [
        ['GET', `/hubs/${hubId}/members`],
        ['POST', `/hubs/${hubId}/members`],
        ['DELETE', `/hubs/${hubId}/members/${t.ada.person.id}`],
      ] as const;
    const body = (method: string) => (method === 'POST' ? { personId: t.ada.person.id } : undefined);
    for (const [method, path] of paths('hub_unknown')) {
      const answer = await t.admin.json<Refused>(method, path, body(method));
      expect([answer.status, answer.body.message]).toEqual([404, 'There is no Hub hub_unknown.']);
    }
    for (const [method, path] of paths(t.id)) {
      expect((await t.hub.fetch(`/api/v1${path}`, { method })).status).toBe(401);
    }
  });
});
