import { describe, expect, test } from 'bun:test';
import { restartHub } from '../testing/restart-hub.ts';
import { post, startTestHub, type TestHub } from '../testing/start-test-hub.ts';

async function appErrorOf(hub: TestHub, method: string, path: string, body?: unknown): Promise<string> {
  const response = await hub.admin.raw(method, path, body);
  return `${response.status} ${((await response.json()) as { message: string }).message}`;
}

describe('a Hub', () => {
  test('has a conversation, a notes bucket and a to-do bucket of its own, and posts go there', async () => {
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

  test('can be renamed, and its keys show the new name', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub('Releases');
    const key = await hub.admin.issueKey({ hubId: id });
    const response = await hub.admin.raw('PATCH', `/hubs/${id}`, { name: 'Deploys' });
    expect([response.status, ((await response.json()) as { name: string }).name]).toEqual([200, 'Deploys']);
    expect((await hub.admin.showKey(key.id)).hubName).toBe('Deploys');
  });

  test('has a name of 1 to 64 characters, which need not be unique', async () => {
    await using hub = await startTestHub();
    await hub.admin.createHub('🚀'.repeat(64));
    await hub.admin.createHub('Releases');
    await hub.admin.createHub('Releases');
    expect(await appErrorOf(hub, 'POST', '/hubs', { name: 'x'.repeat(65) })).toStartWith('400 name has 65 characters');
    for (const name of ['', '  ', null, undefined]) {
      expect(await appErrorOf(hub, 'POST', '/hubs', { name })).toStartWith('400 name is required');
    }
    expect(await appErrorOf(hub, 'POST', '/hubs', { name: 'x', colour: 'red' })).toStartWith(
      '400 colour is not a field',
    );
  });

  test('has a name without characters that steer a terminal or the direction of text, and the OpenAPI document says so', async () => {
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
      const error = `400 name may not hold control characters: take U+${code} out`;
      expect(await appErrorOf(hub, 'POST', '/hubs', { name })).toBe(error);
      expect(await appErrorOf(hub, 'PATCH', `/hubs/${id}`, { name })).toBe(error);
      expect(published.test(name)).toBe(false);
    }
    for (const name of ['\u200b', 'Releases\u00ad', '\u3164']) {
      expect(await appErrorOf(hub, 'POST', '/hubs', { name })).toStartWith(
        '400 name may not hold characters that do not show: take U+',
      );
      expect(published.test(name)).toBe(false);
    }
  });

  test('has a name without the white space around it', async () => {
    await using hub = await startTestHub();
    const { id, name } = await hub.admin.createHub(' \u3000My Hub ');
    expect(name).toBe('My Hub');
    await hub.admin.raw('PATCH', `/hubs/${id}`, { name: ' Deploys\u00a0' });
    const [entry] = (await hub.admin.audit('?limit=1')).items;
    expect(entry?.details).toEqual({ from: 'My Hub', to: 'Deploys' });
    expect((await hub.admin.listHubs()).items[0]?.name).toBe('Deploys');
  });

  test('that was deleted answers its keys 404 from then on, and works again when it is restored', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    const send = async () => (await post(hub, 'messages', key, { text: 'x' })).status;
    expect(await send()).toBe(201);
    hub.clock.advance(1_000);
    expect((await hub.admin.deleteHub(id)).deletedAt).toBe('2026-03-01T09:30:01.000Z');
    expect(await send()).toBe(404);
    // Before anything is said about the body.
    expect((await post(hub, 'messages', key, '{')).status).toBe(404);
    expect((await hub.admin.restoreHub(id)).deletedAt).toBeNull();
    expect(await send()).toBe(201);
  });

  test('that is deleted while posts are under way: none that begins after the answer is accepted', async () => {
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

  test('stays deleted over a restart, and can still be restored', async () => {
    await using hub = await startTestHub();
    const { id } = await hub.admin.createHub();
    const { key } = await hub.admin.issueKey({ hubId: id });
    await hub.admin.deleteHub(id);
    await using again = await restartHub(hub);
    expect((await post(again, 'messages', key, { text: 'x' })).status).toBe(404);
    await again.admin.restoreHub(id);
    expect((await post(again, 'messages', key, { text: 'x' })).status).toBe(201);
  });

  test('that was deleted twice keeps the first time; restoring a live one changes nothing', async () => {
    await using hub = await startTestHub();
    const made = await hub.admin.createHub();
    expect(await hub.admin.restoreHub(made.id)).toEqual(made);
    const deleted = await hub.admin.deleteHub(made.id);
    hub.clock.advance(1_000);
    expect(await hub.admin.deleteHub(made.id)).toEqual(deleted);
  });

  test('that does not exist is 404', async () => {
    await using hub = await startTestHub();
    for (const [method, path, body] of [
      ['GET', '/hubs/hub_unknown', undefined],
      ['PATCH', '/hubs/hub_unknown', { name: 'x' }],
      ['DELETE', '/hubs/hub_unknown', undefined],
      ['POST', '/hubs/hub_unknown/restoration', undefined],
    ] as const) {
      expect(await appErrorOf(hub, method, path, body)).toBe('404 There is no Hub hub_unknown.');
    }
  });

  test('that cannot exist is 404 as well, and its id is shown cut, or not at all', async () => {
    await using hub = await startTestHub();
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/restoration', undefined],
    ] as const) {
      const error = (id: string) => appErrorOf(hub, method, `/hubs/${id}${path}`, body);
      expect(await error('%ff')).toBe('404 There is no Hub with this id.');
      expect(await error('%1b[2J')).toBe('404 There is no Hub \u{fffd}[2J.');
      expect(await error('x'.repeat(5_000))).toBe(`404 There is no Hub ${'x'.repeat(64)}….`);
    }
  });

  test('is for admins: from outside it is 401', async () => {
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
  test('is newest first, follows pages, and shows live ones unless asked', async () => {
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
    expect(await appErrorOf(hub, 'GET', '/hubs?state=lost')).toStartWith('400 state must be one of live, deleted, all');
  });
});
