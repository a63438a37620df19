import { expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { openConnection, rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, tokenOf } from '@hub/testkit/in-process/users';
import {
  BODY_BYTES_PER_SECOND,
  BODY_MS,
  BODY_STALL_MS,
  MAX_OPEN_BYTES,
  MAX_SENDER_BYTES,
} from '../src/http/body-watch.ts';
import { DRAIN_BYTES, DRAIN_QUIET_MS } from '../src/http/read-body.ts';

/** How bodies arrive: their size, slow and endless ones, those of the unauthenticated, and rights lost meanwhile. */
const hub = shared(startTestHub);
const FOUR_FIELDS = ['message', 'path', 'statusCode', 'timestamp'];
const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (body: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${Buffer.byteLength(body).toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n')]);
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const fieldsOf = (body: string | undefined) => Object.keys(JSON.parse(body ?? '') as object).sort();
const caller = perTest(() => publicCaller(hub));

const head = (length: string, { key = caller.key, type = 'application/json', path = '/api/public/v1/messages' } = {}) =>
  rawHead(`POST ${path} HTTP/1.1`, 'Host: hub', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, length);
const opened = async (...sent: Parameters<typeof head>) => {
  const socket = await openConnection(hub.url);
  await socket.write(head(...sent));
  return socket;
};
type Socket = Awaited<ReturnType<typeof opened>>;
const storedCount = async () => (await hub.store.hubs.find(caller.hubId))?.seq;

const inChunks = (bytes: Uint8Array) =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 100_000) controller.enqueue(bytes.subarray(at, at + 100_000));
      controller.close();
    },
  });

test.each([
  ['with a Content-Length', (bytes: Uint8Array) => bytes, '1048577 bytes'],
  ['in chunks', inChunks, 'more than 1048576 bytes'],
])('a body can have 1 MiB %s; one byte more gets 413 with the limit', async (_, encode, size) => {
  const note = (bytes: number) => encode(new TextEncoder().encode('{"content":"x"}'.padEnd(bytes)));
  expect((await caller.post('notes', note(LIMITS.bodyBytes))).status).toBe(201);
  const response = await caller.post('notes', note(LIMITS.bodyBytes + 1));
  expect(response.status).toBe(413);
  const { message } = await errorOf(response);
  expect(message).toContain('at most 1048576 (1 MiB)');
  expect(message).toContain(size);
});

test('a body of 5 MB gets a 413 that can be read after sending all of it, and the connection goes on', async () => {
  using socket = await openConnection(hub.url);
  await socket.write(Buffer.concat([Buffer.from(head('Content-Length: 5000000')), Buffer.alloc(5_000_000, 'a')]));
  expect((await socket.response()).status).toBe(413);
  await socket.write(`${head('Content-Length: 12')}{"text":"x"}`);
  expect((await socket.response()).status).toBe(201);
  const chunks = Array.from({ length: 80 }, () => chunk(Buffer.alloc(65_536, 'a')));
  const sent = Buffer.concat([Buffer.from(head(CHUNKED)), ...chunks, LAST_CHUNK]);
  const chunked = await sendOnce(hub.url, sent, { readsLast: true });
  expect([chunked.status, chunked.header('connection')]).toEqual([413, null]);
});

test('the size of a body is known from the Content-Length, even if sent twice: 413 and 415 come before the body', async () => {
  expect((await sendOnce(hub.url, head('Content-Length: 2000000'))).status).toBe(413);
  expect((await sendOnce(hub.url, head('Content-Length: 1000000', { type: 'text/plain' }))).status).toBe(415);
  const twice = (length: number) => head(`Content-Length: ${length}\r\nContent-Length: ${length}`);
  expect((await sendOnce(hub.url, twice(2_000_000) + ' '.repeat(2_000_000))).status).toBe(413);
  expect((await sendOnce(hub.url, `${twice(12)}{"text":"x"}`)).status).toBe(201);
  // Without the right to post, the response comes before the body, too.
  const { key: narrow } = await publicCaller(hub, { scopes: ['todos:create'] });
  for (const length of ['Content-Length: 50000000', CHUNKED]) {
    expect((await sendOnce(hub.url, head(length, { key: 'hub_live_wrong' }))).status).toBe(401);
    expect((await sendOnce(hub.url, head(length, { key: narrow }))).status).toBe(403);
  }
});

test('a body that is too large is drained only up to a limit if it never ends, and until it stalls', async () => {
  using endless = await opened(CHUNKED);
  const sentBytes = await endless.writeUntilClosed(chunk(Buffer.alloc(1024 * 1024, 'a')));
  expect(sentBytes).toBeGreaterThan(DRAIN_BYTES / 2);
  expect(sentBytes).toBeLessThan(DRAIN_BYTES * 2);
  const large = chunk(Buffer.alloc(LIMITS.bodyBytes + 1, 'a'));
  const response = sendOnce(hub.url, Buffer.concat([Buffer.from(head(CHUNKED)), large]));
  // The drain sleeps at least once before and once after it has counted the received bytes.
  const settled = response.then(({ status }) => status);
  let status: number | null = null;
  while (status === null) {
    status = await Promise.race([settled, hub.clock.untilSleeping().then(() => null)]);
    // Lets the server read the received bytes before time passes; otherwise the body would be treated as too slow.
    await hub.fetch('/healthz');
    hub.clock.advance(DRAIN_QUIET_MS);
  }
  expect([status, (await response).header('connection')]).toEqual([413, 'close']);
});

test('a body whose sender disconnects leaves no item and no error in the log', async () => {
  const logged = hub.logged.length;
  for (const length of ['Content-Length: 1000', CHUNKED]) {
    const socket = await opened(length);
    await socket.write('f\r\n{"text":"cut o');
    // Once the request is counted, the server has begun to read.
    while (hub.deps.usage.pending(caller.keyId) === undefined) await new Promise(setImmediate);
    socket.close();
  }
  expect((await caller.post('messages', { text: 'x' })).status).toBe(201);
  expect(hub.logged.slice(logged).filter(({ level }) => level !== 'debug')).toEqual([]);
  expect(await storedCount()).toBe(1);
});

/** Advances the clock second by second until there is a response. `before` runs before each second. */
async function pass(socket: Socket, seconds: number, before: (second: number) => Promise<void> = async () => {}) {
  let response: Awaited<ReturnType<Socket['response']>> | undefined;
  const responded = socket.response().then(
    (received) => {
      response = received;
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

test.each([
  ['with a Content-Length', 'Content-Length: 1000', 'x'],
  ['that is large', 'Content-Length: 1000000', 'x'],
  ['in chunks', CHUNKED, chunk('x')],
  ['of another type', `Content-Type: text/plain\r\n${CHUNKED}`, chunk('x')],
])(
  'a body that arrives slowly %s, a byte at a time, gets 408, is closed and stores nothing',
  async (_, length, byte) => {
    using socket = await opened(length);
    const response = await pass(socket, 30, () => socket.write(byte));
    expect(response).toMatchObject({ status: 408, second: BODY_MS / 1_000 + 1 });
    expect(response?.header('connection')).toBe('close');
    expect(response?.header('x-request-id')).toStartWith('req_');
    expect(response?.header('ratelimit')).toStartWith('"default";r=59');
    expect(fieldsOf(response?.body)).toEqual(FOUR_FIELDS);
    expect(JSON.parse(response?.body ?? '').message).toContain('after 16 seconds');
    await expect(socket.response()).rejects.toThrow('ended without a response');
    expect(await storedCount()).toBe(0);
  },
);

test.each([
  ['with a Content-Length', `Content-Length: ${LIMITS.bodyBytes}`, (text: string) => text],
  ['in chunks', CHUNKED, chunk],
])(
  'a body that arrives slowly %s gets 408 after 15 seconds of silence even when nearly complete',
  async (_, length, wrap) => {
    using socket = await opened(length);
    const text = JSON.stringify({ text: 'x' }).padEnd(LIMITS.bodyBytes - 1);
    const response = await pass(socket, 40, async (second) => {
      if (second < 2) await socket.write(wrap(text.slice(second * 600_000, (second + 1) * 600_000)));
    });
    expect(response).toMatchObject({ status: 408, second: BODY_STALL_MS / 1_000 + 3 });
    expect(JSON.parse(response?.body ?? '').message).toContain(`only ${text.length} bytes have arrived`);
    expect(await storedCount()).toBe(0);
  },
);

test.each([
  [LIMITS.bodyBytes, BODY_BYTES_PER_SECOND + 100, 100],
  [60_000, 3_000, 18],
])('a body that arrives slowly is accepted if it has %d bytes, %d a second', async (size, each, seconds) => {
  const text = JSON.stringify({ text: 'x' }).padEnd(size);
  using socket = await opened(`Content-Length: ${text.length}`);
  const response = await pass(socket, 140, (n) => socket.write(text.slice(n * each, (n + 1) * each)));
  expect(response?.status).toBe(201);
  expect(response?.second).toBeGreaterThan(seconds);
});

const openHead = (path: string, length: string): string =>
  rawHead(`POST /api/v1/${path} HTTP/1.1`, 'Host: hub.example', 'Content-Type: application/json', length);
/** Announces a body of 16 KiB, and sends all but one byte. Resolves once the server waits for the rest. */
async function silentPeer(on: TestHub, address: string) {
  on.setClientAddress(address);
  const socket = await openConnection(on.url);
  const length = `Content-Length: ${LIMITS.openBodyBytes}`;
  await socket.write(`${openHead('session', length)}${' '.repeat(LIMITS.openBodyBytes - 1)}`);
  // The server reads everything sent before this request.
  await (await on.fetch('/healthz')).text();
  return socket;
}

test.each(['session', 'links/inspection', 'links/redemption'])(
  'the body of an unauthenticated request can be 16 KiB long for %s',
  async (path) => {
    const body = JSON.stringify({ token: 'x', email: 'a@example.org', password: 'x' });
    const whole = (size: number) => openHead(path, `Content-Length: ${size}`) + body.padEnd(size);
    const inChunks = (size: number) =>
      Buffer.concat([Buffer.from(openHead(path, CHUNKED)), chunk(body.padEnd(size)), LAST_CHUNK]);
    for (const request of [whole, inChunks]) {
      expect((await sendOnce(hub.url, request(LIMITS.openBodyBytes))).status).not.toBe(413);
      const { status, body: returned } = await sendOnce(hub.url, request(LIMITS.openBodyBytes + 1));
      expect([status, fieldsOf(returned)]).toEqual([413, FOUR_FIELDS]);
      expect(returned).toContain('at most 16384 (16 KiB) are accepted');
    }
  },
);

test('the body of an unauthenticated request is dropped if all together use too much memory, first from the network that uses the most', async () => {
  await using own = await startTestHub();
  using other = await silentPeer(own, '198.51.100.1');
  const greedy = [];
  // One more than the limit allows.
  for (let held = LIMITS.openBodyBytes; held <= MAX_OPEN_BYTES; held += LIMITS.openBodyBytes) {
    greedy.push(await silentPeer(own, '203.0.113.1'));
  }
  const response = await greedy[0]?.response();
  const headers = ['retry-after', 'connection'].map((name) => response?.header(name));
  expect([response?.status, headers, fieldsOf(response?.body)]).toEqual([503, ['1', 'close'], FOUR_FIELDS]);
  // A body from a network that holds little can continue, and so can the newest one from the network with the most.
  for (const socket of [other, greedy.at(-1)]) {
    await socket?.write(' ');
    expect((await socket?.response())?.status).toBe(400);
  }
  // The memory of the dropped and finished bodies is free again.
  using another = await silentPeer(own, '203.0.113.1');
  await another.write(' ');
  expect((await another.response()).status).toBe(400);
  for (const socket of greedy) socket.close();
});

/** Two members of a Hub, each with a token. */
async function tokensIn(hubId: string) {
  const [ada, bob] = [await memberOf(hub, hubId), await memberOf(hub, hubId)];
  const path = `/api/v1/hubs/${hubId}/messages`;
  return { ada: await tokenOf(hub, ada.user), bob: await tokenOf(hub, bob.user), path };
}
/** Begins a request, of whose body one byte is missing. */
async function silent(path: string, { authorization = '' }: Readonly<Record<string, string>>) {
  const key = authorization.replace('Bearer ', '');
  const socket = await opened(`Content-Length: ${LIMITS.bodyBytes}`, { path, key });
  await socket.write(' '.repeat(LIMITS.bodyBytes - 1));
  // On PostgreSQL, authentication takes several turns of the event loop.
  for (let n = 0; n < 10; n += 1) await (await hub.fetch('/readyz')).text();
  return socket;
}

test('concurrent bodies from one user or key can total 32 MiB: one more gets 503 at once, without affecting other users', async () => {
  const { ada, bob, path } = await tokensIn(caller.hubId);
  using other = await silent(path, bob.headers);
  const greedy = [];
  for (let held = 0; held < MAX_SENDER_BYTES; held += LIMITS.bodyBytes) greedy.push(await silent(path, ada.headers));
  const response = await (await silent(path, ada.headers)).response();
  expect([response.status, response.header('retry-after'), fieldsOf(response.body)]).toEqual([503, '1', FOUR_FIELDS]);
  for (const socket of [other, greedy[0], greedy[3]]) {
    await socket?.write(' ');
    expect((await socket?.response())?.status).toBe(400);
  }
  for (const socket of greedy) socket.close();
});

test('concurrent bodies from one user or key that arrive slowly keep none of the sender’s other requests waiting', async () => {
  const { ada, path } = await tokensIn(caller.hubId);
  const authorization = `Bearer ${caller.key}`;
  const silentOnes = [];
  for (let n = 0; n < 6; n += 1) {
    silentOnes.push(await silent(path, ada.headers), await silent('/api/public/v1/messages', { authorization }));
  }
  expect((await ada.json('POST', `/hubs/${caller.hubId}/messages`, { text: 'Hello' })).status).toBe(201);
  const content = 'x'.repeat(LIMITS.noteContentCodePoints);
  expect((await caller.post('notes', { title: 'Large', content })).status).toBe(201);
  for (const socket of silentOnes) socket.close();
});
