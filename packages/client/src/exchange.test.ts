import { describe, expect, test } from 'bun:test';
import { createServer, type Socket } from 'node:net';
import { eventLoopTurn, failureOf, isPending } from '@hub/testkit/client/outcome';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { timedClient } from '@hub/testkit/client/timed-client';
import { created, startScriptedServer } from '@hub/testkit/scripted-server';
import { HubConnectionError, type HubError, HubTimeoutError } from './index.ts';

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
    expect(s.clock.timers).toBe(0);
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

  test('cuts off a response that starts but does not finish', async () => {
    using server = await startRawServer((socket) => {
      socket.write('HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"succ');
    });
    let begun = () => {};
    const bodyBegan = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { hub, clock } = timedClient({
      baseUrl: server.url,
      apiKey: TEST_KEY,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        begun();
        return response;
      },
    });
    const failure = failureOf(hub.messages.create({ text: 'x' }));
    await bodyBegan;
    clock.advance(30_000);
    expect(await failure).toBeInstanceOf(HubTimeoutError);
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

  test('is passed to fetch, so that the connection is closed', async () => {
    let given: AbortSignal | null | undefined;
    const { hub } = timedClient({
      baseUrl: 'https://hub.example.com',
      apiKey: TEST_KEY,
      fetch: (_, { signal }) => {
        given = signal;
        return new Promise(() => {});
      },
    });
    const controller = new AbortController();
    const failure = failureOf(hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    await eventLoopTurn();
    expect(given?.aborted).toBe(false);
    controller.abort('enough');
    await failure;
    expect(given?.aborted).toBe(true);
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
    expect(clock.timers).toBe(0);
  });
});
