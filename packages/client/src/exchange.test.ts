import { describe, expect, test } from 'bun:test';
import { HubConnectionError, type HubError, HubTimeoutError } from './index.ts';
import { failureOf, isPending, turnOfTheLoop } from './testing/outcome.ts';
import { startRawServer } from './testing/raw-server.ts';
import { created, startScriptedServer } from './testing/scripted-server.ts';
import { TEST_KEY } from './testing/test-key.ts';
import { timedClient } from './testing/timed-client.ts';

/** A client of a server that keeps each request without an answer until `release`. */
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
  test('ends a request that is not answered, says that the post may exist, and is not repeated', async () => {
    await using s = startSilent({ timeoutMs: 500 });
    const failure = failureOf(s.hub.messages.create({ text: 'x' }));
    await s.server.received(1);
    s.clock.advance(499);
    expect(await isPending(failure)).toBe(true);
    s.clock.advance(1);
    const error = await failure;
    expect(error).toBeInstanceOf(HubTimeoutError);
    expect(error).toBeInstanceOf(HubConnectionError);
    expect(error).toMatchObject({ name: 'HubTimeoutError', timeoutMs: 500, mayHaveCreated: true });
    expect((error as Error).message).toContain('500 ms');
    expect(s.server.requests).toHaveLength(1);
    expect(s.clock.timers).toBe(0);
  });

  test('of one call goes before that of the client; 30 s if neither is given', async () => {
    await using s = startSilent();
    const short = failureOf(s.hub.messages.create({ text: 'x' }, { timeoutMs: 10 }));
    const long = failureOf(s.hub.messages.create({ text: 'x' }));
    await s.server.received(2);
    s.clock.advance(10);
    expect(await short).toMatchObject({ timeoutMs: 10 });
    s.clock.advance(29_990);
    expect(await long).toMatchObject({ timeoutMs: 30_000 });
  });

  test('also ends an answer that begins and does not end', async () => {
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

  test('of Infinity sets no timer', async () => {
    await using s = startSilent({ timeoutMs: Number.POSITIVE_INFINITY });
    const posted = s.hub.messages.create({ text: 'x' });
    await s.server.received(1);
    expect(s.clock.timers).toBe(0);
    s.release();
    expect((await posted).id).toBe('id_1');
  });

  test('leaves no timer behind a request that was answered in time', async () => {
    await using s = startSilent();
    s.release();
    await s.hub.messages.create({ text: 'x' });
    expect(s.clock.timers).toBe(0);
  });
});

describe('an abort', () => {
  test.each([
    ['an error', new RangeError('enough')],
    ['a plain value', 'enough'],
    ['none', undefined],
  ])('rejects with the reason that the caller gave: %s', async (_, reason) => {
    await using s = startSilent();
    const controller = new AbortController();
    const failure = failureOf(s.hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    await s.server.received(1);
    controller.abort(reason);
    expect(await failure).toBe(controller.signal.reason);
    expect(s.server.requests).toHaveLength(1);
  });

  test('before the call sends nothing', async () => {
    await using s = startSilent();
    const signal = AbortSignal.abort('never mind');
    expect(await failureOf(s.hub.messages.create({ text: 'x' }, { signal }))).toBe('never mind');
    expect(s.server.requests).toHaveLength(0);
  });

  test('ends the call even if fetch does not care', async () => {
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

  test('reaches fetch, so that the connection is closed', async () => {
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
    await turnOfTheLoop();
    expect(given?.aborted).toBe(false);
    controller.abort('enough');
    await failure;
    expect(given?.aborted).toBe(true);
  });

  test('after the answer changes nothing, and the signal keeps no listener', async () => {
    await using s = startSilent();
    s.release();
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1;
      removeEventListener.apply(signal, args);
    };
    await s.hub.messages.create({ text: 'x' }, { signal });
    expect(listeners).toBe(0);
  });
});

describe('a connection that breaks is not repeated, for the post may exist', () => {
  test.each([
    ['before an answer', '', false],
    ['before an answer, by a reset', '', true],
    ['within the head', 'HTTP/1.1 201 Cre', false],
    ['within the body', 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"succ', false],
    ['after something that is no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n\r\n', false],
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

  test('nor is one that the server closes at the second post; each has a connection of its own', async () => {
    let responded = 0;
    const connections = new Set<unknown>();
    using server = await startRawServer((socket) => {
      responded += 1;
      connections.add(socket);
      if (responded > 1) return socket.destroy();
      const body = '{"success":true,"data":{"id":"m","conversationId":"c","createdAt":"t"}}';
      socket.write(`HTTP/1.1 201 Created\r\nconnection: keep-alive\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    });
    const { hub } = timedClient({ baseUrl: server.url, apiKey: TEST_KEY });
    await hub.messages.create({ text: 'x' });
    expect(await failureOf(hub.messages.create({ text: 'y' }))).toBeInstanceOf(HubConnectionError);
    expect(server.requests).toHaveLength(2);
    expect(connections.size).toBe(2);
  });
});
