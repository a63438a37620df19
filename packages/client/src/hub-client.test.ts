import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { timedClient } from '@hub/testkit/client/timed-client';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { HubClient, type HubResponse, HubUsageError } from './index.ts';

async function start() {
  const server = startScriptedServer();
  return {
    server,
    hub: new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('a post', () => {
  test('is one POST request with a JSON body and the key only in the Authorization header', async () => {
    await using s = await start();
    await s.hub.messages.create({ text: 'Grüße, **Welt**' });
    const [request] = s.server.requests;
    expect(s.server.requests).toHaveLength(1);
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/api/public/v1/messages');
    expect(JSON.parse(request?.body ?? '')).toEqual({ text: 'Grüße, **Welt**' });
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('accept')).toBe('application/json');
    expect(request?.headers.get('user-agent')).toMatch(/^hub-client\/\d+\.\d+\.\d+$/);
    const holdingKey = [...(request?.headers ?? [])].filter(([, value]) => value.includes(TEST_KEY));
    expect(holdingKey).toEqual([['authorization', `Bearer ${TEST_KEY}`]]);
  });

  test('goes to the endpoint of its kind and resolves with the data of the response', async () => {
    await using s = await start();
    const message = await s.hub.messages.create({ blocks: [{ type: 'paragraph', data: { text: 'Hi' } }] });
    const note = await s.hub.notes.create({ title: 'Release', content: '## Changes' });
    const todo = await s.hub.todos.create({ title: 'Renew', priority: 'HIGH', dueDate: '2026-03-01T09:30Z' });
    expect(s.server.requests.map(({ path }) => path)).toEqual([
      '/api/public/v1/messages',
      '/api/public/v1/notes',
      '/api/public/v1/todos',
    ]);
    expect(message.conversationId).toBe('cnv_1');
    expect(note.bucketId).toBe('bkt_1');
    expect(todo).toMatchObject({ id: 'msg_1', bucketId: 'bkt_1', createdAt: '2026-03-01T09:30:00.000Z' });
  });

  test('accepts a Date as dueDate, and rejects an invalid Date before anything is sent', async () => {
    await using s = await start();
    await s.hub.todos.create({ title: 'Renew', dueDate: new Date('2026-03-01T10:30:00+01:00') });
    expect(JSON.parse(s.server.requests[0]?.body ?? '').dueDate).toBe('2026-03-01T09:30:00.000Z');
    const failure = s.hub.todos.create({ title: 'Renew', dueDate: new Date('soon') });
    await expect(failure).rejects.toThrow(new HubUsageError('dueDate is an invalid Date.'));
    expect(s.server.requests).toHaveLength(1);
  });

  test('contains the input as it was at the time of the call, even if the object changes later', async () => {
    await using s = await start();
    const input = { text: 'before' };
    const posted = s.hub.messages.create(input);
    input.text = 'after';
    await posted;
    expect(s.server.requests[0]?.body).toBe('{"text":"before"}');
  });

  test('rejects input that is not an object or not JSON, without a request or a synchronous exception', async () => {
    await using s = await start();
    for (const input of [undefined, null, 'text', { text: 1n }]) {
      await expect(s.hub.messages.create(input as never)).rejects.toBeInstanceOf(HubUsageError);
    }
    await expect(s.hub.messages.create({ text: 'x' }, { timeoutMs: -1 })).rejects.toBeInstanceOf(HubUsageError);
    expect(s.server.requests).toHaveLength(0);
  });
});

describe('the key', () => {
  test('is not visible when a client is printed or serialized', () => {
    const hub = new HubClient({ baseUrl: 'https://hub.example.com', apiKey: TEST_KEY });
    const output = [
      JSON.stringify(hub),
      inspect(hub, { showHidden: true, depth: 20 }),
      Bun.inspect(hub, { depth: 20 }),
      JSON.stringify(Object.getOwnPropertyDescriptors(hub)),
      String(hub),
    ].join('\n');
    expect(output).toContain('messages');
    expect(output).not.toContain(TEST_KEY.slice(9));
  });

  test('does not appear in an error, even if a proxy quotes the request in its page', async () => {
    await using s = await start();
    s.server.respondWith(({ headers }) => {
      const page = `<h1>Bad gateway</h1><pre>${headers.get('authorization')}</pre>`;
      return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
    });
    const error = await s.hub.messages.create({ text: 'x' }).catch((thrown) => thrown);
    expect(error.message).toContain('Bad gateway Bearer hub_live_…');
    expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain(TEST_KEY.slice(9));
  });
});

describe('onResponse', () => {
  test("receives the request ID and the remaining limit; the call's callback runs before the client's", async () => {
    await using s = await start();
    s.server.respondWith(() =>
      created({ 'x-request-id': 'req_7', ratelimit: '"default";r=59;t=60', 'ratelimit-policy': '"default";q=60;w=60' }),
    );
    const notified: [string, HubResponse][] = [];
    const hub = new HubClient({
      baseUrl: s.server.url,
      apiKey: TEST_KEY,
      pacing: false,
      onResponse: (response) => notified.push(['client', response]),
    });
    await hub.messages.create({ text: 'x' }, { onResponse: (response) => notified.push(['call', response]) });
    const response = {
      path: '/api/public/v1/messages',
      attempt: 1,
      durationMs: expect.any(Number),
      statusCode: 201,
      requestId: 'req_7',
      rateLimit: { limit: 60, windowSeconds: 60, remaining: 59, resetSeconds: 60 },
    };
    expect(notified).toEqual([
      ['call', response],
      ['client', response],
    ]);
  });
});

describe('onRequest', () => {
  test('is called before each request, with the number of the attempt, and onResponse with its duration', async () => {
    await using s = await start();
    const notified: unknown[] = [];
    const { hub, clock } = timedClient({
      baseUrl: s.server.url,
      apiKey: TEST_KEY,
      waitWhenBlocked: true,
      timeoutMs: Number.POSITIVE_INFINITY,
      onRequest: (request) => notified.push(['client', request]),
      onResponse: ({ attempt, durationMs, statusCode }) => notified.push([attempt, durationMs, statusCode]),
    });
    s.server.respondWith(({ path }, number) => {
      expect(path).toBe('/api/public/v1/notes');
      clock.advance(250);
      return number === 1 ? errorResponse(403, undefined, { 'retry-after': '7' }) : created();
    });
    const posted = hub.notes.create({ content: 'x' }, { onRequest: (request) => notified.push(['call', request]) });
    await clock.armed();
    clock.advance(7_000);
    await posted;
    const first = { path: '/api/public/v1/notes', attempt: 1 };
    const second = { ...first, attempt: 2 };
    expect(notified).toEqual([
      ['call', first],
      ['client', first],
      [1, 250, 403],
      ['call', second],
      ['client', second],
      [2, 250, 201],
    ]);
  });
});

test('a custom fetch can use a unix socket, and fails with a HubConnectionError if the socket does not exist', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hub-socket-'));
  const unix = join(folder, 'hub.sock');
  const overSocket = (url: string, init: RequestInit) => fetch(url, { ...init, unix });
  const hub = new HubClient({ baseUrl: 'http://localhost', apiKey: TEST_KEY, fetch: overSocket });
  const error = await hub.notes.create({ content: 'x' }).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'HubConnectionError', mayHaveCreated: false });
  const server = Bun.serve({ unix, fetch: () => created() });
  expect((await hub.notes.create({ content: 'x' })).id).toBe('msg_1');
  await server.stop(true);
  await rm(folder, { recursive: true });
});

test('a path prefix in baseUrl comes before the path of the API', async () => {
  await using s = await start();
  const hub = new HubClient({ baseUrl: `${s.server.url}/team/hub/`, apiKey: TEST_KEY, userAgent: 'deploy-bot/2.1' });
  await hub.notes.create({ content: 'x' });
  expect(s.server.requests[0]?.path).toBe('/team/hub/api/public/v1/notes');
  expect(s.server.requests[0]?.headers.get('user-agent')).toMatch(/^deploy-bot\/2\.1 hub-client\//);
});
