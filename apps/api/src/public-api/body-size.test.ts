import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { DRAIN_BYTES, DRAIN_QUIET_MS } from '../http/request-drain.ts';
import { errorOf, publicCaller } from '../testing/public-caller.ts';
import { openRaw, rawHead, rawRequest } from '../testing/raw-request.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

const PATH = '/api/public/v1/messages';
const chunk = (bytes: number): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.toString(16)}\r\n`), Buffer.alloc(bytes, 'a'), Buffer.from('\r\n')]);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** A note of exactly so many bytes of JSON, in which white space makes up the size. */
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

describe('the size of a body', () => {
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
    test(`exactly 1 MiB is accepted, one byte more is 413 with the limit: ${name}`, async () => {
      expect((await caller.post('notes', encode(noteOf(LIMITS.bodyBytes)))).status).toBe(201);
      const response = await caller.post('notes', encode(noteOf(LIMITS.bodyBytes + 1)));
      expect(response.status).toBe(413);
      const { message } = await errorOf(response);
      expect(message).toContain('at most 1048576 (1 MiB)');
      expect(message).toContain(name === 'in chunks' ? 'more than 1048576 bytes' : '1048577 bytes');
    });
  }

  test('a sender who writes its whole 5 MB before it reads can read the 413', async () => {
    const body = Buffer.alloc(5_000_000, 'a');
    const announced = await rawRequest(
      hub.url,
      Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}`)), body]),
      {
        readsLast: true,
      },
    );
    expect(announced.status).toBe(413);
    const chunks = Array.from({ length: 80 }, () => chunk(65_536));
    const inChunks = await rawRequest(
      hub.url,
      Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), ...chunks, LAST_CHUNK]),
      { readsLast: true },
    );
    expect(inChunks.status).toBe(413);
    expect(inChunks.headers.has('connection')).toBe(false);
  });

  test('a 413 for an announced length is given at once, without waiting for the body', async () => {
    expect((await rawRequest(hub.url, head('Content-Length: 2000000'))).status).toBe(413);
  });

  test('a length that is announced twice is a length too', async () => {
    const body = Buffer.from(noteOf(2 * LIMITS.bodyBytes));
    const twice = head(`Content-Length: ${body.length}\r\nContent-Length: ${body.length}`);
    expect((await rawRequest(hub.url, Buffer.concat([Buffer.from(twice), body]))).status).toBe(413);
    const small = `${head('Content-Length: 12\r\nContent-Length: 12')}{"text":"x"}`;
    expect((await rawRequest(hub.url, small)).status).toBe(201);
  });

  test('the connection goes on after a 413: the next request on it is answered', async () => {
    using socket = await openRaw(hub.url);
    socket.write(Buffer.concat([Buffer.from(head('Content-Length: 3000000')), Buffer.alloc(3_000_000, 'a')]));
    expect((await socket.response()).status).toBe(413);
    socket.write(`${head('Content-Length: 12')}{"text":"x"}`);
    expect((await socket.response()).status).toBe(201);
  });

  test('an endless body is drained to a bound only, then the connection is closed', async () => {
    using socket = await openRaw(hub.url);
    socket.write(head('Transfer-Encoding: chunked'));
    const sentBytes = await socket.writeUntilClosed(chunk(1024 * 1024));
    expect(sentBytes).toBeGreaterThan(DRAIN_BYTES / 2);
    expect(sentBytes).toBeLessThan(DRAIN_BYTES * 2);
  });

  test('an endless body that stops coming is answered after a while, though it never ended', async () => {
    const response = rawRequest(
      hub.url,
      Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), chunk(LIMITS.bodyBytes + 1)]),
    );
    // Asleep at least once before and once after what had come already was counted.
    const settled = response.then(({ status }) => status);
    let status: number | null = null;
    while (status === null) {
      status = await Promise.race([settled, hub.clock.slept().then(() => null)]);
      // What has come is read before time goes on: else it would be too slow.
      await hub.fetch('/healthz');
      hub.clock.advance(DRAIN_QUIET_MS);
    }
    expect(status).toBe(413);
    expect((await response).headers.get('connection')).toBe('close');
  });

  for (const [name, key] of [
    ['a wrong key', 'hub_live_wrong'],
    ['a key without the scope', ''],
  ] as const) {
    test(`${name} with a huge body is answered before its body has come`, async () => {
      const narrow = await publicCaller(hub, { scopes: ['todos:create'] });
      for (const length of ['Content-Length: 50000000', 'Transfer-Encoding: chunked']) {
        const { status } = await rawRequest(hub.url, head(length, { key: key || narrow.key }));
        expect(status).toBe(key ? 401 : 403);
      }
    });
  }

  test('a body of another type is refused before it has come, if its length is announced', async () => {
    expect((await rawRequest(hub.url, head('Content-Length: 1000000', { type: 'text/plain' }))).status).toBe(415);
  });

  test('a sender who goes away in the midst of its body leaves no item and no error in the log', async () => {
    const logged = hub.logged.length;
    for (const length of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = await openRaw(hub.url);
      socket.write(`${head(length)}f\r\n{"text":"cut o`);
      // The server has begun to read: it has counted the request.
      while (hub.deps.usage.pending(caller.keyId) === undefined) await Bun.sleep(0);
      socket[Symbol.dispose]();
    }
    expect((await caller.post('messages', { text: 'x' })).status).toBe(201);
    expect(hub.logged.slice(logged).filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});
