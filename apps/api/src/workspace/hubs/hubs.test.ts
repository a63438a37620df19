import { describe, expect, test } from 'bun:test';
import type { Hub, HubCounts, RetentionPreview, Todo } from '@hub/contract';
import { startTeam } from '@hub/testkit/in-process/team';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { addMember, signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';

async function statusAndMessageOf(hub: TestHub, method: string, path: string, body?: unknown): Promise<string> {
  const response = await hub.admin.raw(method, path, body);
  return `${response.status} ${((await response.json()) as { message: string }).message}`;
}

describe('a Hub', () => {
  test('has its own conversation, notes bucket and to-do bucket, which posts go into', async () => {
    await using hub = await startTestHub();
    const made = await hub.admin.createHub('Releases');
    expect(made).toEqual({
      id: expect.stringMatching(/^hub_/) as unknown as string,
      name: 'Releases',
      conversationId: expect.stringMatching(/^cnv_/) as unknown as string,
      notesBucketId: expect.stringMatching(/^bkt_/) as unknown as string,
      todosBucketId: expect.stringMatching(/^bkt_/) as unknown as string,
      createdAt: '2026-03-01T09:30:00.000Z',
      deletedAt: null,
      retentionDays: null,
      seq: 0,
      isMember: false,
      readSeq: null,
      readSeqs: null,
      readVersion: null,
      isMuted: null,
      unreadCount: null,
      unreadCounts: null,
      unreadMentionIds: null,
    });
    const { key } = await hub.admin.issueKey({ hubId: made.id });
    const dataOf = async (response: Promise<Response>) =>
      ((await (await response).json()) as { data: Record<string, string> }).data;
    expect((await dataOf(post(hub, 'messages', key, { text: 'x' }))).conversationId).toBe(made.conversationId);
    expect((await dataOf(post(hub, 'notes', key, { content: 'x' }))).bucketId).toBe(made.notesBucketId);
    expect((await dataOf(post(hub, 'todos', key, { title: 'x' }))).bucketId).toBe(made.todosBucketId);
  });

  test('has a name of 1 to 64 characters', async () => {
    await using hub = await startTestHub();
    await hub.admin.createHub('🚀'.repeat(64));
    expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name: 'x'.repeat(65) })).toStartWith(
      '400 name has 65 characters',
    );
    for (const name of ['', '  ', null, undefined]) {
      expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name })).toStartWith('400 name is required');
    }
    expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name: 'x', colour: 'red' })).toStartWith(
      '400 colour is not a field',
    );
  });

  test.each(['Releases', 'RELEASES', ' releases ', 'Ｒｅｌｅａｓｅｓ', 'Releaſes'])(
    'cannot have the name %p if a live Hub is named Releases, on creation, renaming and restoration',
    async (name) => {
      await using hub = await startTestHub();
      const first = await hub.admin.createHub('Releases');
      const other = await hub.admin.createHub('Other');
      const taken = '409 There is already a Hub named “Releases”. Choose another name.';
      expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name })).toBe(taken);
      expect(await statusAndMessageOf(hub, 'PATCH', `/hubs/${other.id}`, { name })).toBe(taken);
      expect((await hub.admin.raw('PATCH', `/hubs/${first.id}`, { name })).status).toBe(200);
      await hub.admin.deleteHub(first.id);
      const second = await hub.admin.request('POST /hubs', { body: { name } });
      expect(await statusAndMessageOf(hub, 'POST', `/hubs/${first.id}/restoration`)).toBe(
        `409 There is already a Hub named “${second.name}”. Rename that Hub, then restore this one.`,
      );
      expect((await hub.admin.listHubs('?state=deleted')).items.map(({ id }) => id)).toEqual([first.id]);
      await hub.admin.raw('PATCH', `/hubs/${second.id}`, { name: 'Deploys' });
      expect((await hub.admin.restoreHub(first.id)).deletedAt).toBeNull();
    },
  );

  test('keeps its name unique under concurrency, on creation, renaming and restoration', async () => {
    await using hub = await startTestHub();
    const statusesOf = async (requests: Promise<Response>[]) =>
      (await Promise.all(requests)).map(({ status }) => status).toSorted();
    const create = () => hub.admin.raw('POST', '/hubs', { name: 'Twin' });
    expect(await statusesOf(Array.from({ length: 8 }, create))).toEqual([201, ...Array(7).fill(409)]);
    const others = await hub.admin.createHubs(8);
    const rename = (id: string) => hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Renamed' });
    expect(await statusesOf(others.map(rename))).toEqual([200, ...Array(7).fill(409)]);
    const deleted: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      const { id } = await hub.admin.createHub('Restored');
      await hub.admin.deleteHub(id);
      deleted.push(id);
    }
    const restore = (id: string) => hub.admin.raw('POST', `/hubs/${id}/restoration`);
    expect(await statusesOf(deleted.map(restore))).toEqual([200, 409, 409, 409]);
    const live = (await hub.admin.listHubs()).items.map(({ name }) => name);
    expect(new Set(live).size).toBe(live.length);
  });

  test('returns 404 to its keys once deleted, and accepts posts again once restored', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    const send = async () => (await post(hub, 'messages', key, { text: 'x' })).status;
    expect(await send()).toBe(201);
    hub.clock.advance(1_000);
    expect((await hub.admin.deleteHub(id)).deletedAt).toBe('2026-03-01T09:30:01.000Z');
    expect(await send()).toBe(404);
    // Checked before the body.
    expect((await post(hub, 'messages', key, '{')).status).toBe(404);
    expect((await hub.admin.restoreHub(id)).deletedAt).toBeNull();
    expect(await send()).toBe(201);
  });

  test('writes an event when it is renamed, deleted or restored, and none if nothing changes', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub('Releases');
    for (let n = 0; n < 2; n += 1) await hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Deploys' });
    for (let n = 0; n < 2; n += 1) await hub.admin.deleteHub(id);
    for (let n = 0; n < 2; n += 1) await hub.admin.restoreHub(id);
    expect((await hub.store.events.read(id, 0, 10)).map(({ event, data }) => [event, data])).toEqual([
      ['hub.changed', { name: 'Deploys', retentionDays: null }],
      ['hub.deleted', { name: 'Deploys' }],
      ['hub.restored', { name: 'Deploys' }],
    ]);
  });
});

describe('the list of Hubs', () => {
  test('is newest first, paginated, and shows only live Hubs by default', async () => {
    await using hub = await startTestHub();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.unshift((await hub.admin.createHub(name)).id);
    await hub.admin.deleteHub(ids[1] as string);
    const listed = async (query: string) => (await hub.admin.listHubs(query)).items.map(({ id }) => id);
    expect(await listed('')).toEqual([ids[0], ids[2], ids[3]] as string[]);
    expect(await listed('?state=deleted')).toEqual([ids[1]] as string[]);
    expect(await listed('?state=all')).toEqual(ids);
    const first = await hub.admin.listHubs('?state=all&limit=3');
    expect(await listed(`?state=all&limit=3&before=${first.next}`)).toEqual([ids[3]] as string[]);
    expect(await statusAndMessageOf(hub, 'GET', '/hubs?state=lost')).toStartWith(
      '400 state must be one of live, deleted, all',
    );
  });
});

describe('the rights in a Hub', () => {
  async function setUp() {
    const hub = await startTestHub();
    const mine = await hub.admin.createHub('Mine');
    const other = await hub.admin.createHub('Other');
    const admin = await signedIn(hub, { role: 'admin' });
    const owner = await signedIn(hub, { role: 'owner' });
    const ada = await signedIn(hub);
    await addMember(hub, mine.id, ada.user);
    const dispose = () => hub[Symbol.asyncDispose]();
    return { hub, mine, other, admin, owner, ada, [Symbol.asyncDispose]: dispose };
  }

  const statusOf = async (caller: UserCaller, method: string, path: string, body?: unknown) =>
    (await caller.json(method, path, body)).status;

  async function listOf(caller: UserCaller, query = '') {
    const { body } = await caller.json<{ items: Hub[] }>('GET', `/hubs${query}`);
    return body.items.map(({ name, isMember }) => `${name}${isMember ? ' (mine)' : ''}`);
  }

  describe('the list of Hubs', () => {
    test('shows members the Hubs they are a member of', async () => {
      await using t = await setUp();
      expect(await listOf(t.ada)).toEqual(['Mine (mine)']);
      expect(await listOf(t.ada, '?membership=mine')).toEqual(['Mine (mine)']);
      expect(await listOf(await tokenOf(t.hub, t.ada.user))).toEqual(['Mine (mine)']);
    });

    test('shows admins and owners all Hubs and which are their own, or only their own on request', async () => {
      await using t = await setUp();
      for (const caller of [t.admin, t.owner]) {
        expect(await listOf(caller)).toEqual(['Other', 'Mine']);
        expect(await listOf(caller, '?membership=mine')).toEqual([]);
        await addMember(t.hub, t.mine.id, caller.user);
        expect(await listOf(caller)).toEqual(['Other', 'Mine (mine)']);
        expect(await listOf(caller, '?membership=mine')).toEqual(['Mine (mine)']);
      }
    });

    test('shows deleted Hubs to admins only', async () => {
      await using t = await setUp();
      await t.hub.admin.deleteHub(t.mine.id);
      expect(await listOf(t.ada)).toEqual([]);
      expect(await listOf(t.admin, '?state=deleted')).toEqual(['Mine']);
      expect(await listOf(t.admin, '?state=all')).toEqual(['Other', 'Mine']);
      for (const state of ['deleted', 'all']) expect(await statusOf(t.ada, 'GET', `/hubs?state=${state}`)).toBe(403);
    });
  });

  describe('admins', () => {
    test('can change, delete and restore Hubs that they are not a member of', async () => {
      await using t = await setUp();
      for (const caller of [t.admin, t.owner, await tokenOf(t.hub, t.admin.user)]) {
        const renamed = await caller.json<Hub>('PATCH', `/hubs/${t.mine.id}`, { name: `By ${caller.user.email}` });
        expect([renamed.status, renamed.body.isMember]).toEqual([200, false]);
        expect(await statusOf(caller, 'DELETE', `/hubs/${t.mine.id}`)).toBe(200);
        expect(await statusOf(caller, 'POST', `/hubs/${t.mine.id}/restoration`)).toBe(200);
      }
    });

    test('can read only Hubs they are a member of; for others, the error says how to become a member', async () => {
      await using t = await setUp();
      for (const caller of [t.admin, t.owner]) {
        for (const path of ['messages', 'notes', 'todos']) {
          const { status, body } = await caller.json<{ message: string }>('GET', `/hubs/${t.mine.id}/${path}`);
          expect(status).toBe(403);
          expect(body.message).toContain('add yourself as a member first.');
        }
      }
    });

    test('are members of the Hubs they create', async () => {
      await using t = await setUp();
      const { status, body } = await t.admin.json<Hub>('POST', '/hubs', { name: 'New' });
      expect(status).toBe(201);
      expect(body).toMatchObject({ isMember: true, seq: 0, readSeq: 0, unreadCount: 0 });
      expect(await statusOf(t.admin, 'GET', `/hubs/${body.id}/messages`)).toBe(200);
      expect(await listOf(t.admin, '?membership=mine')).toEqual(['New (mine)']);
    });
  });

  describe('the retention of a Hub', () => {
    test('is a number of days or null, set by an admin, audited and published to members', async () => {
      await using t = await setUp();
      const path = `/hubs/${t.mine.id}`;
      const daysAfter = async (retentionDays: number | null) =>
        (await t.admin.json<Hub>('PATCH', path, { retentionDays })).body.retentionDays;
      expect(await daysAfter(90)).toBe(90);
      expect((await t.hub.admin.audit('?limit=1')).items[0]).toMatchObject({
        action: 'hub.changed',
        actor: { id: t.admin.user.id },
        details: { retentionDays: 90, formerRetentionDays: null },
      });
      expect(await t.hub.store.events.read(t.mine.id, 1, 10)).toMatchObject([
        { event: 'hub.changed', data: { name: 'Mine', retentionDays: 90 } },
      ]);
      expect(await daysAfter(null)).toBeNull();
      for (const retentionDays of [0, -1, 1.5, 36_501, '90', ' ']) {
        expect(await statusOf(t.admin, 'PATCH', path, { retentionDays })).toBe(400);
      }
    });
  });

  describe('a deleted Hub', () => {});
});

describe('counts', () => {
  async function setUp() {
    const team = await startTeam();
    const ask = async (caller = team.ada) => (await caller.json<HubCounts>('GET', `/hubs/${team.hubId}/counts`)).body;
    return { ...team, ask, [Symbol.asyncDispose]: () => team[Symbol.asyncDispose]() };
  }

  describe('the counts of a Hub', () => {
    test('include members, keys, notes and open to-dos', async () => {
      await using t = await setUp();
      expect(await t.ask()).toEqual({ hubId: t.hubId, members: 2, keys: 1, notes: 0, openTodos: 0 });
      await t.note(t.ada, { content: 'x' });
      const [first] = [await t.todo(t.ada, { title: 'x' }), await t.post<Todo>('todos', { title: 'y' })];
      expect(await t.ask()).toMatchObject({ notes: 1, openTodos: 2 });
      await t.ada.json('PATCH', `/todos/${first.id}`, { status: 'done' });
      expect(await t.ask(t.bob)).toMatchObject({ notes: 1, openTodos: 1 });
    });

    test('leave out deleted items and keys that can no longer post', async () => {
      await using t = await setUp();
      const note = await t.note(t.ada, { content: 'x' });
      const todo = await t.todo(t.ada, { title: 'x' });
      await t.ada.json('DELETE', `/notes/${note.id}`);
      await t.ada.json('DELETE', `/todos/${todo.id}`);
      await t.hub.admin.raw('POST', `/keys/${t.keyId}/revocation`);
      expect(await t.ask()).toMatchObject({ keys: 0, notes: 0, openTodos: 0 });
    });
  });
});

const DAY_MS = 86_400_000;

describe('the list of Hubs with include=counts', () => {});

describe('the preview of a retention period', () => {
  test('counts the messages, notes and to-dos that are older than the period', async () => {
    await using team = await startTeam();
    const { hub, hubId, ada } = team;
    const admin = await signedIn(hub, { role: 'admin' });
    const old = await team.message(ada, 'old');
    await team.reply(ada, old, 'a reply goes with it');
    await team.note(ada, { content: 'old' });
    hub.clock.advance(10 * DAY_MS);
    await team.todo(ada, { title: 'young' });
    const preview = async (days: unknown) =>
      (await admin.json<RetentionPreview>('GET', `/hubs/${hubId}/retention-preview?retentionDays=${days}`)).body;
    expect(await preview(5)).toEqual({ hubId, retentionDays: 5, items: 2 });
    expect((await preview(30)).items).toBe(0);
    expect((await team.messages()).items).toHaveLength(1);
  });
});
