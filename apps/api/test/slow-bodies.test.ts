import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { openConnection, rawHead } from '@hub/testkit/http';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { BODY_BYTES_PER_SECOND, BODY_MS, BODY_STALL_MS } from '../src/http/body-watch.ts';
import { DRAIN_MS, DRAIN_QUIET_MS } from '../src/http/request-drain.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

describe('a body that arrives slowly', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  beforeEach(async () => {
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const opened = async (length: string) => {
    const socket = await openConnection(hub.url);
    await socket.write(
      rawHead(
        'POST /api/public/v1/messages HTTP/1.1',
        'Host: hub.example',
        `Authorization: Bearer ${caller.key}`,
        'Content-Type: application/json',
        length,
      ),
    );
    return socket;
  };
  type Socket = Awaited<ReturnType<typeof opened>>;

  /** Advances the clock second by second until there is a response. `before` runs before each second. */
  async function pass(socket: Socket, seconds: number, before: (second: number) => Promise<void> = async () => {}) {
    let response: Awaited<ReturnType<Socket['response']>> | undefined;
    const responded = socket.response().then(
      (found) => {
        response = found;
      },
      () => {},
    );
    for (let second = 0; second < seconds; second += 1) {
      await before(second);
      // Enough turns of the event loop for the server to read what was sent.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      await Promise.race([hub.clock.untilSleeping(), responded]);
      hub.clock.advance(1_000);
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      if (response) return Object.assign(response, { second: second + 1 });
    }
    return null;
  }

  for (const [name, length, byte] of [
    ['with a Content-Length', 'Content-Length: 1000', 'x'],
    ['that is large', 'Content-Length: 1000000', 'x'],
    ['in chunks', CHUNKED, chunk('x')],
  ] as const) {
    test(`returns 408 with the four fields, closes the connection and stores nothing when sent a byte at a time: ${name}`, async () => {
      using socket = await opened(length);
      const response = await pass(socket, 30, () => socket.write(byte));
      expect(response).toMatchObject({ status: 408, second: BODY_MS / 1_000 + 1 });
      expect(response?.header('connection')).toBe('close');
      expect(response?.header('x-request-id')).toStartWith('req_');
      expect(response?.header('ratelimit')).toStartWith('"default";r=59');
      const body = JSON.parse(response?.body ?? '') as Record<string, unknown>;
      expect(Object.keys(body).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
      expect(body).toMatchObject({ statusCode: 408, path: '/api/public/v1/messages' });
      expect(body.message).toContain('after 16 seconds');
      await expect(socket.response()).rejects.toThrow('ended without a response');
      expect((await hub.store.hubs.find(caller.hubId))?.seq).toBe(0);
    });
  }

  test('returns 408 whatever its type', async () => {
    using socket = await opened(`Content-Type: text/plain\r\n${CHUNKED}`);
    expect((await pass(socket, 30))?.status).toBe(408);
  });

  for (const [name, length, wrap] of [
    ['with a Content-Length', `Content-Length: ${LIMITS.bodyBytes}`, String],
    ['in chunks', CHUNKED, chunk],
  ] as const) {
    test(`returns 408 after 15 seconds of silence even when nearly complete: ${name}`, async () => {
      using socket = await opened(length);
      const text = JSON.stringify({ text: 'x' }).padEnd(LIMITS.bodyBytes - 1);
      const response = await pass(socket, 40, async (second) => {
        if (second < 2) await socket.write(wrap(text.slice(second * 600_000, (second + 1) * 600_000)));
      });
      expect(response).toMatchObject({ status: 408, second: BODY_STALL_MS / 1_000 + 3 });
      expect(response?.header('connection')).toBe('close');
      expect(JSON.parse(response?.body ?? '').message).toContain(`only ${text.length} bytes have arrived`);
      expect((await hub.store.hubs.find(caller.hubId))?.seq).toBe(0);
    });
  }

  for (const [name, size, each, seconds] of [
    ['large', LIMITS.bodyBytes, BODY_BYTES_PER_SECOND + 100, 100],
    ['medium-sized', 60_000, 3_000, 18],
  ] as const) {
    test(`is accepted when it is ${name} and the connection is slow`, async () => {
      const text = JSON.stringify({ text: 'x' }).padEnd(size);
      using socket = await opened(`Content-Length: ${text.length}`);
      const response = await pass(socket, 140, (n) => socket.write(text.slice(n * each, (n + 1) * each)));
      expect(response?.status).toBe(201);
      expect(response?.second).toBeGreaterThan(seconds);
    });
  }

  test('is not waited for when it is too large', async () => {
    using socket = await opened(CHUNKED);
    await socket.write(chunk('x'.repeat(LIMITS.bodyBytes + 1)));
    const response = await pass(socket, 40, () => socket.write(chunk('x')));
    expect(response?.status).toBe(413);
    expect(response?.header('connection')).toBe('close');
    expect(response?.second).toBeLessThanOrEqual((DRAIN_MS + DRAIN_QUIET_MS) / 1_000);
  });

  test('leaves no pending timers after it has arrived', async () => {
    using socket = await opened('Content-Length: 12');
    await hub.clock.untilSleeping();
    await socket.write('{"text":"x"}');
    expect((await socket.response()).status).toBe(201);
    hub.clock.advance(BODY_MS * 10);
    await new Promise(setImmediate);
    expect(hub.clock.sleeping).toBe(0);
  });
});
