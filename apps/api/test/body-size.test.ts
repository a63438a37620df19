import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { openConnection, rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { DRAIN_BYTES, DRAIN_QUIET_MS } from '../src/http/request-drain.ts';

const PATH = '/api/public/v1/messages';
const chunk = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n')]);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Returns a note of exactly this many bytes of JSON, padded with white space. */
function noteOf(bytes: number): Uint8Array {
  const json = '{"content":"x"}';
  return new TextEncoder().encode(json + ' '.repeat(bytes - json.length));
}

function streamed(bytes: Uint8Array): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + 100_000));
      sent += 100_000;
      if (sent >= bytes.length) controller.close();
    },
  });
}

describe('checking the size of a body', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub();
  });
  beforeEach(async () => {
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const head = (length: string, options: { key?: string; type?: string } = {}): string =>
    rawHead(
      `POST ${PATH} HTTP/1.1`,
      'Host: hub.example',
      `Authorization: Bearer ${options.key ?? caller.key}`,
      `Content-Type: ${options.type ?? 'application/json'}`,
      length,
    );

  for (const [name, encode] of [
    ['with a Content-Length', (bytes: Uint8Array) => bytes],
    ['in chunks', streamed],
  ] as const) {
    test(`allows exactly 1 MiB; one byte more returns 413 with the limit: ${name}`, async () => {
      expect((await caller.post('notes', encode(noteOf(LIMITS.bodyBytes)))).status).toBe(201);
      const response = await caller.post('notes', encode(noteOf(LIMITS.bodyBytes + 1)));
      expect(response.status).toBe(413);
      const { message } = await errorOf(response);
      expect(message).toContain('at most 1048576 (1 MiB)');
      expect(message).toContain(name === 'in chunks' ? 'more than 1048576 bytes' : '1048577 bytes');
    });
  }

  test('returns a 413 that a sender can read after sending its entire 5 MB body', async () => {
    const body = Buffer.alloc(5_000_000, 'a');
    const announced = await sendOnce(
      hub.url,
      Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]),
      {
        readsLast: true,
      },
    );
    expect(announced.status).toBe(413);
    const chunks = Array.from({ length: 80 }, () => chunk(65_536));
    const inChunks = await sendOnce(
      hub.url,
      Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), ...chunks, LAST_CHUNK]),
      { readsLast: true },
    );
    expect(inChunks.status).toBe(413);
    expect(inChunks.header('connection')).toBeNull();
  });

  test('returns 413 for a Content-Length over the limit without waiting for the body', async () => {
    expect((await sendOnce(hub.url, head('Content-Length: 2000000'))).status).toBe(413);
  });

  test('works when Content-Length is sent twice', async () => {
    const body = Buffer.from(noteOf(2 * LIMITS.bodyBytes));
    const twice = head(`Content-Length: ${body.length}\r\nContent-Length: ${body.length}`);
    expect((await sendOnce(hub.url, Buffer.concat([Buffer.from(twice), body]))).status).toBe(413);
    const small = `${head('Content-Length: 12\r\nContent-Length: 12')}{"text":"x"}`;
    expect((await sendOnce(hub.url, small)).status).toBe(201);
  });

  test('keeps the connection usable after a 413', async () => {
    using socket = await openConnection(hub.url);
    socket.write(Buffer.concat([Buffer.from(head('Content-Length: 3000000')), Buffer.alloc(3_000_000, 'a')]));
    expect((await socket.response()).status).toBe(413);
    socket.write(`${head('Content-Length: 12')}{"text":"x"}`);
    expect((await socket.response()).status).toBe(201);
  });

  test('drains an endless body only up to a limit, then closes the connection', async () => {
    using socket = await openConnection(hub.url);
    socket.write(head('Transfer-Encoding: chunked'));
    const sentBytes = await socket.writeUntilClosed(chunk(1024 * 1024));
    expect(sentBytes).toBeGreaterThan(DRAIN_BYTES / 2);
    expect(sentBytes).toBeLessThan(DRAIN_BYTES * 2);
  });

  test('responds to an endless body after it stalls', async () => {
    const response = sendOnce(
      hub.url,
      Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), chunk(LIMITS.bodyBytes + 1)]),
    );
    // The drain sleeps at least once before and once after it has counted the received bytes.
    const settled = response.then(({ status }) => status);
    let status: number | null = null;
    while (status === null) {
      status = await Promise.race([settled, hub.clock.untilSleeping().then(() => null)]);
      // Lets the server read the received bytes before time passes; otherwise the body would be treated as too slow.
      await hub.fetch('/healthz');
      hub.clock.advance(DRAIN_QUIET_MS);
    }
    expect(status).toBe(413);
    expect((await response).header('connection')).toBe('close');
  });

  for (const [name, key] of [
    ['a wrong key', 'hub_live_wrong'],
    ['a key without the scope', ''],
  ] as const) {
    test(`${name} with a huge body gets a response before the body arrives`, async () => {
      const narrow = await publicCaller(hub, { scopes: ['todos:create'] });
      for (const length of ['Content-Length: 50000000', 'Transfer-Encoding: chunked']) {
        const { status } = await sendOnce(hub.url, head(length, { key: key || narrow.key }));
        expect(status).toBe(key ? 401 : 403);
      }
    });
  }

  test('rejects a wrong content type before the body arrives when the length is known', async () => {
    expect((await sendOnce(hub.url, head('Content-Length: 1000000', { type: 'text/plain' }))).status).toBe(415);
  });

  test('leaves no item and no error in the log when the sender disconnects', async () => {
    const logged = hub.logged.length;
    for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = await openConnection(hub.url);
      socket.write(`${head(length)}f\r\n{"text":"cut o`);
      // Once the request is counted, the server has begun to read.
      while (hub.deps.usage.pending(caller.keyId) === undefined) await Bun.sleep(0);
      socket.close();
    }
    expect((await caller.post('messages', { text: 'x' })).status).toBe(201);
    expect(hub.logged.slice(logged).filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});
