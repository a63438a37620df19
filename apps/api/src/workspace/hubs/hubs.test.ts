import { describe, expect, test } from 'bun:test';
import type { Hub, Todo } from '@hub/contract';
import { shared } from '@hub/testkit/in-process/shared';
import { startTeam, teamOn } from '@hub/testkit/in-process/team';
import { post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, memberOf, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

const hub = shared(startTestHub);
const outcome = (method: string, path: string, body?: unknown) => hub.admin.outcome(method, path, body);

test('a Hub has its own conversation, notes bucket and to-do bucket, which posts go into', async () => {
  const made = await hub.admin.createHub('First');
  const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_`));
  const ofNobody = ['readSeq', 'readSeqs', 'readVersion', 'isMuted', 'mutedKeyIds', 'isFavorite', 'pinnedIds'];
  ofNobody.push('unreadCount', 'unreadCounts', 'unreadMentionIds');
  expect(made as object).toEqual({
    ...{ id: id('hub'), conversationId: id('cnv'), notesBucketId: id('bkt'), todosBucketId: id('bkt') },
    ...{ name: 'First', topic: null, createdAt: '2026-03-01T09:30:00.000Z', deletedAt: null, retentionDays: null },
    ...{ seq: 0, isMember: false, ...Object.fromEntries(ofNobody.map((field) => [field, null])) },
  });
  const { key } = await hub.admin.issueKey({ hubId: made.id });
  for (const [kind, body, place] of [
    ['messages', { text: 'x' }, { conversationId: made.conversationId }],
    ['notes', { content: 'x' }, { bucketId: made.notesBucketId }],
    ['todos', { title: 'x' }, { bucketId: made.todosBucketId }],
  ] as const) {
    expect(await (await post(hub, kind, key, body)).json()).toMatchObject({ data: place });
  }
});

test('a Hub has a name of 1 to 64 characters', async () => {
  expect(await outcome('POST', '/hubs', { name: '🚀'.repeat(64) })).toBe('201');
  expect(await outcome('POST', '/hubs', { name: 'x'.repeat(65) })).toStartWith('400 name has 65 characters');
  for (const name of ['', '  ', null, undefined]) {
    expect(await outcome('POST', '/hubs', { name })).toStartWith('400 name is required');
  }
  expect(await outcome('POST', '/hubs', { name: 'x', colour: 'red' })).toStartWith('400 colour is not a field');
});

test('a Hub cannot have a name like that of a live Hub, on creation, renaming and restoration', async () => {
  const first = await hub.admin.createHub('Deploys');
  const other = await hub.admin.createHub('Other');
  for (const name of ['Deploys', 'DEPLOYS', ' deploys ', 'Ｄｅｐｌｏｙｓ', 'Deployſ']) {
    const taken = '409 There is already a Hub named “Deploys”. Choose another name.';
    expect(await outcome('POST', '/hubs', { name })).toBe(taken);
    expect(await outcome('PATCH', `/hubs/${other.id}`, { name })).toBe(taken);
    await hub.admin.deleteHub(first.id);
    const second = await hub.admin.request('POST /hubs', { body: { name } });
    const error = `409 There is already a Hub named “${second.name}”. Rename that Hub, then restore this one.`;
    expect(await outcome('POST', `/hubs/${first.id}/restoration`)).toBe(error);
    await hub.admin.deleteHub(second.id);
    expect((await hub.admin.restoreHub(first.id)).deletedAt).toBeNull();
    expect(await outcome('PATCH', `/hubs/${first.id}`, { name })).toBe('200');
    expect(await outcome('PATCH', `/hubs/${first.id}`, { name: 'Deploys' })).toBe('200');
  }
});

test('a Hub keeps its name unique under concurrency, on creation, renaming and restoration', async () => {
  const statusesOf = async (requests: Promise<Response>[]) =>
    (await Promise.all(requests)).map(({ status }) => status).toSorted();
  const create = () => hub.admin.raw('POST', '/hubs', { name: 'Twin' });
  expect(await statusesOf(Array.from({ length: 8 }, create))).toEqual([201, ...Array(7).fill(409)]);
  const others = await hub.admin.createHubs(8);
  const rename = (id: string) => hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Renamed' });
  expect(await statusesOf(others.map(rename))).toEqual([200, ...Array(7).fill(409)]);
  const deleted: string[] = [];
  while (deleted.length < 4) deleted.push((await hub.admin.deleteHub((await hub.admin.createHub('Restored')).id)).id);
  const restore = (id: string) => hub.admin.raw('POST', `/hubs/${id}/restoration`);
  expect(await statusesOf(deleted.map(restore))).toEqual([200, 409, 409, 409]);
});

test('a Hub writes an event when it is renamed, deleted or restored, and none if nothing changes', async () => {
  const { id } = await hub.admin.createHub('Alarms');
  for (let n = 0; n < 2; n += 1) await hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Alerts' });
  for (let n = 0; n < 2; n += 1) expect((await hub.admin.deleteHub(id)).deletedAt).toBe('2026-03-01T09:30:00.000Z');
  for (let n = 0; n < 2; n += 1) expect((await hub.admin.restoreHub(id)).deletedAt).toBeNull();
  expect((await hub.store.events.read(id, 0, 10)).map(({ event, data }) => [event, data])).toEqual([
    ['hub.changed', { name: 'Alerts', topic: null, retentionDays: null }],
    ['hub.deleted', { name: 'Alerts' }],
    ['hub.restored', { name: 'Alerts' }],
  ]);
});

describe('the rights in a Hub', () => {
  const hub = shared(startTestHub);
  const [mine, other] = [shared(() => hub.admin.createHub('Mine')), shared(() => hub.admin.createHub('Other'))];
  const ada = shared(() => memberOf(hub, mine.id));
  const [admin, owner] = [
    shared(() => signedIn(hub, { role: 'admin' })),
    shared(() => signedIn(hub, { role: 'owner' })),
  ];
  const listOf = async (caller: UserCaller, query = '') => {
    const { status, body } = await caller.json<{ items: Hub[] }>('GET', `/hubs${query}`);
    if (status !== 200) return status;
    return body.items.map(({ name, isMember }) => `${name}${isMember ? ' (mine)' : ''}`);
  };

  test('members see the Hubs they are a member of; admins and owners all Hubs, also deleted ones, newest first', async () => {
    for (const caller of [ada, await tokenOf(hub, ada.user)]) expect(await listOf(caller)).toEqual(['Mine (mine)']);
    await hub.admin.deleteHub(other.id);
    for (const [query, ofAda, ofAdmins] of [
      ['', ['Mine (mine)'], ['Mine']],
      ['?membership=mine', ['Mine (mine)'], []],
      ['?state=deleted', 403, ['Other']],
      ['?state=all', 403, ['Other', 'Mine']],
      ['?state=all&limit=1', 403, ['Other']],
      [`?state=all&limit=1&before=${other.id}`, 403, ['Mine']],
      ['?state=lost', 400, 400],
    ] as const) {
      const lists = [await listOf(ada, query), await listOf(admin, query), await listOf(owner, query)] as unknown[];
      expect([query, ...lists]).toEqual([query, ofAda, ofAdmins, ofAdmins]);
    }
    await hub.admin.restoreHub(other.id);
  });

  test('admins and owners change, delete and restore Hubs that they are not a member of', async () => {
    for (const caller of [admin, owner, await tokenOf(hub, admin.user)]) {
      const renamed = await caller.call<Hub>('PATCH', `/hubs/${other.id}`, { name: `By ${caller.user.email}` });
      expect(renamed.isMember).toBe(false);
      await caller.call('DELETE', `/hubs/${other.id}`);
      await caller.call('POST', `/hubs/${other.id}/restoration`);
    }
    await addMember(hub, other.id, owner.user);
    expect(await listOf(owner, '?membership=mine')).toEqual([expect.stringMatching(/^By .* \(mine\)$/)] as string[]);
    // They are members of the Hubs they create.
    const made = await admin.call<Hub>('POST', '/hubs', { name: 'New' });
    expect(made).toMatchObject({ isMember: true, seq: 0, readSeq: 0, unreadCount: 0 });
    expect((await admin.json('GET', `/hubs/${made.id}/messages`)).status).toBe(200);
  });

  test('the retention is a number of days or null, set by an admin, audited and published to members', async () => {
    const path = `/hubs/${mine.id}`;
    const daysAfter = async (retentionDays: number | null) =>
      (await admin.json<Hub>('PATCH', path, { retentionDays })).body.retentionDays;
    expect(await daysAfter(90)).toBe(90);
    const details = { retentionDays: 90, formerRetentionDays: null };
    const entry = { action: 'hub.changed', actor: { id: admin.user.id }, details };
    expect((await hub.admin.audit('?limit=1')).items).toMatchObject([entry]);
    const event = { event: 'hub.changed', data: { name: 'Mine', topic: null, retentionDays: 90 } };
    expect(await hub.store.events.read(mine.id, 1, 10)).toMatchObject([event]);
    expect(await daysAfter(null)).toBeNull();
    for (const retentionDays of [0, -1, 1.5, 36_501, '90', ' '])
      expect((await admin.json('PATCH', path, { retentionDays })).status).toBe(400);
  });
});

test('the counts of a Hub include members, notes, open to-dos and keys that can post', async () => {
  await using team = await startTeam();
  const { ada, hubId } = team;
  const counts = ({ request } = ada) => request('GET /hubs/{hubId}/counts', { hubId });
  expect(await counts()).toEqual({ hubId, members: 2, keys: 1, notes: 0, openTodos: 0 });
  const note = await team.note(ada, { content: 'x' });
  const [first, second] = [await team.todo(ada, { title: 'x' }), await team.post<Todo>('todos', { title: 'y' })];
  expect(await counts()).toMatchObject({ notes: 1, openTodos: 2 });
  await ada.json('PATCH', `/todos/${first.id}`, { status: 'done' });
  expect(await counts(team.bob)).toMatchObject({ notes: 1, openTodos: 1 });
  for (const path of [`/notes/${note.id}`, `/todos/${second.id}`]) await ada.json('DELETE', path);
  await team.hub.admin.revokeKey(team.keyId);
  expect(await counts()).toMatchObject({ keys: 0, notes: 0, openTodos: 0 });
});

test('the preview of a retention period counts the messages, notes and to-dos that are older', async () => {
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const { hubId, ada } = team;
  const admin = await signedIn(hub, { role: 'admin' });
  const old = await team.message(ada, 'old');
  await team.reply(ada, old, 'a reply goes with it');
  await team.note(ada, { content: 'old' });
  hub.clock.advance(10 * 86_400_000);
  await team.todo(ada, { title: 'young' });
  const preview = (retentionDays: number) =>
    admin.request('GET /hubs/{hubId}/retention-preview', { hubId, query: { retentionDays } });
  expect(await preview(5)).toEqual({ hubId, retentionDays: 5, items: 2 });
  expect((await preview(30)).items).toBe(0);
  expect((await team.messages()).items).toHaveLength(1);
});
