import { describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { failureOf, isPending } from '@hub/testkit/client/outcome';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { timedClient } from '@hub/testkit/client/timed-client';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { type HubClientOptions, HubConnectionError, type HubError, HubTimeoutError } from './index.ts';

/** Starts a TCP server that calls `onRequest` once a complete request has arrived on a connection. */
async function startRawServer(onRequest: (socket: Socket) => void) {
  const requests: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      const [head, body] = text.split('\r\n\r\n');
      const length = Number(head?.match(/content-length: (\d+)/i)?.[1]);
      if (body === undefined || body.length < length) return;
      requests.push(text);
      text = '';
      onRequest(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}

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
    const error = await failure;
    expect(error).toBeInstanceOf(HubTimeoutError);
    expect(error).toBeInstanceOf(HubConnectionError);
    expect(error).toMatchObject({ name: 'HubTimeoutError', timeoutMs: 500, mayHaveCreated: true, kind: 'uncertain' });
    expect((error as Error).message).toContain('500 ms');
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
  test.each([
    ['an error', new RangeError('enough')],
    ['a plain value', 'enough'],
    ['none', undefined],
  ])("rejects with the caller's reason: %s", async (_, reason) => {
    await using s = startSilent();
    const controller = new AbortController();
    const failure = failureOf(s.hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    await s.server.received(1);
    controller.abort(reason);
    expect(await failure).toBe(controller.signal.reason);
    expect(s.server.requests).toHaveLength(1);
  });

  test('ends the call even if fetch ignores the signal', async () => {
    const { hub } = timedClient({
      baseUrl: 'https://hub.example.com',
      apiKey: TEST_KEY,
      fetch: () => new Promise(() => {}),
    });
    const controller = new AbortController();
    const failure = failureOf(hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    controller.abort('enough');
    expect(await failure).toBe('enough');
  });
});

describe('a lost connection is not retried, because the post may exist', () => {
  test.each([
    ['before a response', '', false],
    ['before a response, by a reset', '', true],
    ['within the headers', 'HTTP/1.1 201 Cre', false],
    ['within the body', 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"succ', false],
    ['after a response that is not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', false],
  ])('%s', async (_, result, byReset) => {
    using server = await startRawServer((socket) => {
      socket.write(result, () => (byReset ? socket.resetAndDestroy() : socket.destroy()));
    });
    const { hub, clock } = timedClient({ baseUrl: server.url, apiKey: TEST_KEY });
    const error = await failureOf(hub.messages.create({ text: 'x' }));
    expect(error).toBeInstanceOf(HubConnectionError);
    expect(error).not.toBeInstanceOf(HubTimeoutError);
    expect(error).toMatchObject({ mayHaveCreated: true });
    expect((error as HubError).message).toContain(`The connection to ${server.url} failed`);
    expect((error as HubError).cause).toBeInstanceOf(Error);
    expect(server.requests).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });
});

/** Disables the timeout, so that the only timers are those of waiting calls. */
function startWaiting(options: Partial<HubClientOptions> = {}) {
  const server = startScriptedServer();
  const base = { baseUrl: server.url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  return { server, ...timedClient({ ...base, ...options }), [Symbol.asyncDispose]: () => server.stop() };
}

const blockedOnce = (seconds: number) => (_: unknown, number: number) =>
  number === 1 ? errorResponse(403, undefined, { 'retry-after': String(seconds) }) : created();

describe('waitWhenBlocked', () => {
  test('with a number does not wait for a longer block', async () => {
    await using s = startWaiting({ waitWhenBlocked: 299_000 });
    s.server.respondWith(blockedOnce(300));
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
    s.server.respondWith(blockedOnce(300));
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
    await using s = startWaiting({ timeoutMs: 1_000 });
    const posts = Array.from({ length: 61 }, (_, index) => s.hub.messages.create({ text: `${index}` }));
    await Promise.all(posts.slice(0, 60));
    expect(s.server.requests).toHaveLength(60);
    s.clock.advance(60_049);
    expect(await isPending(posts[60] as Promise<unknown>)).toBe(true);
    s.clock.advance(1);
    expect((await posts[60])?.id).toBe('msg_1');
    expect(s.server.requests.at(-1)?.body).toBe('{"text":"60"}');
  });
});
