import { describe, expect, test } from 'bun:test';
import { post, restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

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

  test('can be renamed; its keys then show the new name', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub('Releases');
    const key = await hub.admin.issueKey({ hubId: id });
    const response = await hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Deploys' });
    expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([200, 'Deploys']);
    expect((await hub.admin.showKey(key.id)).hubName).toBe('Deploys');
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

  test('has a name that ignores repeated white space, and deleted Hubs may share one', async () => {
    await using hub = await startTestHub();
    for (let index = 0; index < 2; index += 1) await hub.admin.deleteHub((await hub.admin.createHub('Night shift')).id);
    await hub.admin.createHub('Night  shift');
    expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name: 'night\u00a0shift' })).toStartWith('409 ');
    for (const name of ['Nightshift', 'Night shift 2', 'Nìght shift']) await hub.admin.createHub(name);
  });

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

  test('rejects names with control or text direction characters, as the OpenAPI document says', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub('Ops – ρ日本 👩\u200d🚀');
    const document = (await (await hub.fetch('/api/openapi.json')).json()) as {
      components: { schemas: { CreateHub: { properties: { name: { pattern: string } } } } };
    };
    const published = new RegExp(document.components.schemas.CreateHub.properties.name.pattern, 'u');
    expect(published.test('Ops – ρ日本 👩\u200d🚀')).toBe(true);
    for (const code of [
      '0001',
      '000A',
      '001B',
      '007F',
      '0085',
      '009F',
      '2028',
      '2029',
      '202A',
      '202E',
      '2066',
      '2069',
    ]) {
      const name = `Releases${String.fromCharCode(Number.parseInt(code, 16))}`;
      const error = `400 name cannot contain control characters: remove U+${code}`;
      expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name })).toBe(error);
      expect(await statusAndMessageOf(hub, 'PATCH', `/hubs/${id}`, { name })).toBe(error);
      expect(published.test(name)).toBe(false);
    }
    for (const name of ['A\u200b', 'Releases\u00ad', '\u3164s']) {
      expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name })).toStartWith(
        '400 name cannot contain invisible characters: remove U+',
      );
      expect(published.test(name)).toBe(false);
    }
    for (const name of ['\u200b', '\u3164\u2800']) {
      expect(await statusAndMessageOf(hub, 'POST', '/hubs', { name })).toBe(
        '400 name is required in a Hub; it cannot be blank',
      );
      expect(await statusAndMessageOf(hub, 'PATCH', `/hubs/${id}`, { name })).toStartWith('400 name cannot be empty');
      expect(published.test(name)).toBe(false);
    }
  });

  test('has a name without surrounding white space', async () => {
    await using hub = await startTestHub();
    const { id, name } = await hub.admin.createHub(' \u3000My Hub ');
    expect(name).toBe('My Hub');
    await hub.admin.raw('PATCH', `/hubs/${id}`, { name: ' Deploys\u00a0' });
    const [entry] = (await hub.admin.audit('?limit=1')).items;
    expect(entry?.details).toEqual({ from: 'My Hub', to: 'Deploys' });
    expect((await hub.admin.listHubs()).items[0]?.name).toBe('Deploys');
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

  test('accepts no post that begins after the response to its deletion', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    const send = async () => (await post(hub, 'messages', key, { text: 'x' })).status;
    const before = Array.from({ length: 25 }, send);
    await hub.admin.deleteHub(id);
    const after = await Promise.all(Array.from({ length: 25 }, send));
    expect(new Set(after)).toEqual(new Set([404]));
    expect(new Set(await Promise.all(before)).difference(new Set([201, 404])).size).toBe(0);
  });

  test('stays deleted after a restart, and can still be restored', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    await hub.admin.deleteHub(id);
    await using again = await restartHub(hub);
    expect((await post(again, 'messages', key, { text: 'x' })).status).toBe(404);
    await again.admin.restoreHub(id);
    expect((await post(again, 'messages', key, { text: 'x' })).status).toBe(201);
  });

  test('keeps the time of the first deletion if deleted twice; restoring a live Hub changes nothing', async () => {
    await using hub = await startTestHub();
    const made = await hub.admin.createHub();
    expect(await hub.admin.restoreHub(made.id)).toEqual(made);
    const deleted = await hub.admin.deleteHub(made.id);
    hub.clock.advance(1_000);
    expect(await hub.admin.deleteHub(made.id)).toEqual(deleted);
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

  test('returns 404 if it does not exist', async () => {
    await using hub = await startTestHub();
    for (const [method, path, body] of [
      ['GET', '/hubs/hub_unknown', undefined],
      ['PATCH', '/hubs/hub_unknown', { name: 'x' }],
      ['DELETE', '/hubs/hub_unknown', undefined],
      ['POST', '/hubs/hub_unknown/restoration', undefined],
    ] as const) {
      expect(await statusAndMessageOf(hub, method, path, body)).toBe('404 There is no Hub hub_unknown.');
    }
  });

  test('returns 404 for an invalid id, with the id shortened or left out of the message', async () => {
    await using hub = await startTestHub();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/restoration', undefined],
    ] as const) {
      const error = (id: string) => statusAndMessageOf(hub, method, `/hubs/${id}${path}`, body);
      expect(await error('%ff')).toBe('404 There is no Hub with this id.');
      expect(await error('%1b[2J')).toBe('404 There is no Hub \u{fffd}[2J.');
      expect(await error('x'.repeat(5_000))).toBe(`404 There is no Hub ${'x'.repeat(64)}….`);
    }
  });

  test('returns 401 without credentials', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    for (const [method, path] of [
      ['GET', '/hubs'],
      ['POST', '/hubs'],
      ['GET', `/hubs/${id}`],
      ['PATCH', `/hubs/${id}`],
      ['DELETE', `/hubs/${id}`],
      ['POST', `/hubs/${id}/restoration`],
    ] as const) {
      const response = await hub.fetch(`/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } });
      expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 401`);
    }
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
