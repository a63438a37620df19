import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { failureOf, isPending } from '@hub/testkit/concurrency';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { TEST_KEY, timedClient } from '../test/timed-client.ts';
import {
  HubClient,
  type HubClientOptions,
  HubConnectionError,
  HubTimeoutError,
  HubUsageError,
  type HubWait,
} from './index.ts';

/** Returns a client for a server that responds only after `release`. */
function startSilent(options: { timeoutMs?: number } = {}) {
  const server = startScriptedServer();
  const gate = Promise.withResolvers<Response>();
  server.respondWith(() => gate.promise);
  return {
    server,
    ...timedClient({ baseUrl: server.url, apiKey: TEST_KEY, ...options }),
    release: () => gate.resolve(created()),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('a timeout', () => {
  test('ends a request without a response, reports that the post may exist, and does not retry', async () => {
    await using s = startSilent({ timeoutMs: 500 });
    const failure = failureOf(s.hub.messages.create({ text: 'x' }));
    await s.server.received(1);
    s.clock.advance(499);
    expect(await isPending(failure)).toBe(true);
    s.clock.advance(1);
    // A client that retried would now wait, since the clock stands still.
    expect(await isPending(failure)).toBe(false);
    const error = await failure;
    expect(error).toBeInstanceOf(HubTimeoutError);
    expect(error).toBeInstanceOf(HubConnectionError);
    const message = expect.stringContaining('500 ms');
    expect(error).toMatchObject({ message, timeoutMs: 500, mayHaveCreated: true, kind: 'uncertain' });
    expect(s.server.requests).toHaveLength(1);
    expect(s.clock.sleeping).toBe(0);
  });

  test('set on a call overrides the one set on the client; the default is 30 s', async () => {
    await using s = startSilent();
    const short = failureOf(s.hub.messages.create({ text: 'x' }, { timeoutMs: 10 }));
    const long = failureOf(s.hub.messages.create({ text: 'x' }));
    await s.server.received(2);
    s.clock.advance(10);
    expect(await short).toMatchObject({ timeoutMs: 10 });
    s.clock.advance(29_990);
    expect(await long).toMatchObject({ timeoutMs: 30_000 });
  });
});

describe('an abort', () => {
  test('ends the call even if fetch ignores the signal', async () => {
    const fetch = () => new Promise<Response>(() => {});
    const { hub } = timedClient({ baseUrl: 'https://hub.example.com', apiKey: TEST_KEY, fetch });
    const controller = new AbortController();
    const failure = failureOf(hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    controller.abort('enough');
    expect(await failure).toBe('enough');
  });
});

/** Disables the timeout, so that the only timers are those of waiting calls. */
function startWaiting(options: Partial<HubClientOptions> = {}) {
  const server = startScriptedServer();
  const base = { baseUrl: server.url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  return { server, ...timedClient({ ...base, ...options }), [Symbol.asyncDispose]: () => server.stop() };
}

/** Returns a client without pacing and its server. */
function startClient() {
  const server = startScriptedServer();
  const hub = new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false });
  return { server, hub, [Symbol.asyncDispose]: server.stop };
}

const blocked = () => errorResponse(403, undefined, { 'retry-after': '300' });

describe('waitWhenBlocked', () => {
  test('with a number does not wait for a longer block', async () => {
    await using s = startWaiting({ waitWhenBlocked: 299_000 });
    s.server.respondWith(blocked);
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ retryAfterSeconds: 300 });
    expect(s.clock.sleeping).toBe(0);
  });

  test('does not wait after a 403 for a missing scope or from another server', async () => {
    await using s = startWaiting({ waitWhenBlocked: true });
    s.server.respondWith(() => errorResponse(403));
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ name: 'HubScopeError' });
    s.server.respondWith(() => new Response('no', { status: 403, headers: { 'retry-after': '1' } }));
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ name: 'HubApiError' });
    expect(s.server.requests).toHaveLength(2);
  });

  test('can be aborted while it waits', async () => {
    await using s = startWaiting({ waitWhenBlocked: true });
    s.server.respondWith(blocked);
    const controller = new AbortController();
    const failure = failureOf(s.hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    await s.clock.untilSleeping();
    controller.abort('enough');
    expect(await failure).toBe('enough');
    expect(s.clock.sleeping).toBe(0);
  });
});

describe('pacing', () => {
  test('delays the 61st post, without counting the wait toward the timeout', async () => {
    const waits: HubWait[] = [];
    await using s = startWaiting({ timeoutMs: 1_000, onWait: (wait) => waits.push(wait) });
    const posts = Array.from({ length: 61 }, (_, index) => s.hub.messages.create({ text: `${index}` }));
    await Promise.all(posts.slice(0, 60));
    expect(s.server.requests).toHaveLength(60);
    expect(waits).toEqual([{ path: '/api/public/v1/messages', attempt: 1, reason: 'pacing', waitMs: undefined }]);
    s.clock.advance(60_049);
    expect(await isPending(posts[60] as Promise<unknown>)).toBe(true);
    s.clock.advance(1);
    expect((await posts[60])?.id).toBe('msg_1');
    expect(s.server.requests.at(-1)?.body).toBe('{"text":"60"}');
  });
});

describe('a post', () => {
  test('is one POST request with a JSON body and the key only in the Authorization header', async () => {
    await using s = startClient();
    await s.hub.messages.create({ text: 'Grüße, **Welt**' });
    const [request, ...others] = s.server.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api/public/v1/messages',
      body: '{"text":"Grüße, **Welt**"}',
    });
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^hub-client\/\d+\.\d+\.\d+$/),
    });
    const holdingKey = [...(request?.headers ?? [])].filter(([, value]) => value.includes(TEST_KEY));
    expect(holdingKey).toEqual([['authorization', `Bearer ${TEST_KEY}`]]);
  });

  test('accepts a Date as dueDate, and rejects an invalid Date before anything is sent', async () => {
    await using s = startClient();
    await s.hub.todos.create({ title: 'Renew', dueDate: new Date('2026-03-01T10:30:00+01:00') });
    expect(JSON.parse(s.server.requests[0]?.body ?? '').dueDate).toBe('2026-03-01T09:30:00.000Z');
    const failure = s.hub.todos.create({ title: 'Renew', dueDate: new Date('soon') });
    await expect(failure).rejects.toThrow(new HubUsageError('dueDate is an invalid Date.'));
    expect(s.server.requests).toHaveLength(1);
  });

  test('does not upload what is no file or has no name', async () => {
    await using s = startClient();
    const upload = s.hub.files.upload as (...parameters: unknown[]) => Promise<unknown>;
    for (const input of [
      ['report.png', { name: 'report.png' }],
      [undefined, { name: 'report.png' }],
      [{ pipe: () => {} }, { name: 'report.png' }],
      [new Blob(['x']), {}],
      [new Blob(['x'])],
    ])
      await expect(upload(...input)).rejects.toBeInstanceOf(HubUsageError);
    expect(s.server.requests).toEqual([]);
  });

  test('contains the input as it was at the time of the call, even if the object changes later', async () => {
    await using s = startClient();
    const input = { text: 'before' };
    const posted = s.hub.messages.create(input);
    input.text = 'after';
    await posted;
    expect(s.server.requests[0]?.body).toBe('{"text":"before"}');
  });
});

describe('the key', () => {
  test('does not appear in an error, even if a proxy quotes the request in its page', async () => {
    await using s = startClient();
    s.server.respondWith(({ headers }) => {
      const page = `<h1>Bad gateway</h1><pre>${headers.get('authorization')}</pre>`;
      return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
    });
    const error = await s.hub.messages.create({ text: 'x' }).catch((thrown) => thrown);
    expect(error.message).toContain('Bad gateway Bearer hub_live_…');
    expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain(TEST_KEY.slice(9));
  });
});

describe('onRequest', () => {
  test('is called before each request, with the number of the attempt, and onResponse with its duration', async () => {
    await using s = startClient();
    const notified: unknown[] = [];
    const { hub, clock } = timedClient({
      baseUrl: s.server.url,
      apiKey: TEST_KEY,
      waitWhenBlocked: true,
      timeoutMs: Number.POSITIVE_INFINITY,
      onRequest: (request) => notified.push(['client', request]),
      onResponse: ({ attempt, durationMs, statusCode }) => notified.push([attempt, durationMs, statusCode]),
      onWait: ({ attempt, reason, waitMs }) => notified.push([attempt, reason, waitMs]),
    });
    s.server.respondWith(({ path }, number) => {
      expect(path).toBe('/api/public/v1/notes');
      clock.advance(250);
      return number === 1 ? errorResponse(403, undefined, { 'retry-after': '7' }) : created();
    });
    const posted = hub.notes.create({ content: 'x' }, { onRequest: (request) => notified.push(['call', request]) });
    await clock.untilSleeping();
    clock.advance(7_000);
    await posted;
    const attempt = (number: number) => ({ path: '/api/public/v1/notes', attempt: number });
    expect(notified).toEqual([
      ...[
        ['call', attempt(1)],
        ['client', attempt(1)],
        [1, 250, 403],
        [2, 'block', 7_000],
      ],
      ...[
        ['call', attempt(2)],
        ['client', attempt(2)],
        [2, 250, 201],
      ],
    ]);
  });
});

test('a path prefix in baseUrl comes before the path of the API', async () => {
  await using s = startClient();
  const hub = new HubClient({ baseUrl: `${s.server.url}/team/hub/`, apiKey: TEST_KEY, userAgent: 'deploy-bot/2.1' });
  await hub.notes.create({ content: 'x' });
  expect(s.server.requests[0]?.path).toBe('/team/hub/api/public/v1/notes');
  expect(s.server.requests[0]?.headers.get('user-agent')).toMatch(/^deploy-bot\/2\.1 hub-client\//);
});
