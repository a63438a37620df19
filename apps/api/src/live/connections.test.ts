import { describe, expect, spyOn, test } from 'bun:test';
import { connect } from 'node:net';
import { LIMITS } from '@hub/contract';
import { rawHead } from '@hub/testkit/http';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest, shared } from '@hub/testkit/in-process/shared';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { cookieOf, createUser } from '@hub/testkit/in-process/users';
import { TestProxy } from '@hub/testkit/proxy';
import { startListening } from '../../test/listening.ts';
import { insertLongNotes } from '../../test/store/writes.ts';
import { addressRanges } from '../platform/config-schemas.ts';
import { LiveSocket } from './live-socket.ts';

/** The example of RFC 6455, section 1.3. */
const HANDSHAKE_KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
/** A few of them fill the buffers of a connection. */
const LARGE = { content: 'x'.repeat(190_000) };

/** Opens a live connection as the local admin that can stop reading, which the WebSocket of the runtime cannot. */
async function slowClient({ socketPath }: Pick<TestHub, 'socketPath'>) {
  const network = new TestProxy(socketPath);
  const client = await liveClient({ url: network.url, socketPath }, {});
  return {
    ...client,
    network,
    /** Returns the numbers of all events of the Hub, in the order in which they arrived. */
    seqs: (hubId: string): number[] => client.events(hubId).map(({ seq }) => seq),
    [Symbol.dispose]: () => network.close(),
  };
}

const hub = shared(startTestHub);

test('the live handshake returns 426 with the supported version for any version but 13', async () => {
  for (const version of [{}, { 'sec-websocket-version': '8' }]) {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': HANDSHAKE_KEY, ...version };
    const response = await hub.admin.fetch('/api/v1/live', { headers });
    expect(response.status).toBe(426);
    expect(response.headers.get('sec-websocket-version')).toBe('13');
    expect(await response.json()).toMatchObject({ statusCode: 426, message: expect.stringContaining('must be 13') });
  }
});

test.each(['https', 'wss'])(
  'the live handshake succeeds with a session behind a proxy that forwards the scheme %s',
  async (scheme) => {
    const trustedProxies = addressRanges.parse('127.0.0.0/8');
    const { websocket } = hub.deps.live;
    await using front = await startListening({ fetch: hub.app.fetch, websocket, config: { trustedProxies } });
    const { localUrl: url } = front.listener;
    const { email, password } = await createUser(hub);
    const host = { host: 'hub.example.org', origin: 'https://hub.example.org' };
    const session = await fetch(`${url}/api/v1/session`, {
      method: 'POST',
      headers: { ...host, 'x-forwarded-proto': 'https', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const headers = { ...host, 'x-forwarded-proto': scheme, cookie: cookieOf(session) };
    using client = await liveClient({ url, socketPath: front.socketPath }, headers);
    await client.settled();
  },
);

test('a silent connection is pinged after 25 seconds, and closed after 60 unless it responds', async () => {
  await using own = await startTestHub();
  using responsive = await liveClient(own);
  const silent = connect(own.socketPath);
  const fields = [`Sec-WebSocket-Key: ${HANDSHAKE_KEY}`, 'Sec-WebSocket-Version: 13'];
  const head = ['GET /api/v1/live HTTP/1.1', 'Host: hub', 'Upgrade: websocket', 'Connection: Upgrade', ...fields];
  silent.write(rawHead(...head));
  await new Promise((resolve) => silent.once('data', resolve));
  const pings: number[] = [];
  const pinged = new Promise<void>((resolve) => {
    silent.on('data', (data: Buffer) => resolve(void pings.push(data[0] ?? 0)));
  });
  const closed = new Promise((resolve) => silent.on('close', resolve));
  const sweep = async (ms: number) => {
    for (let left = ms; left > 0; left -= 500) {
      await own.clock.untilSleeping();
      own.clock.advance(500);
      await responsive.settled();
    }
  };
  await sweep(24_500);
  expect(pings).toEqual([]);
  await sweep(500);
  await pinged;
  await sweep(35_000);
  await closed;
  // The server sends only one ping frame (RFC 6455, section 5.5.2), however long the client is silent.
  expect(pings).toEqual([0x89]);
  expect(responsive.socket.readyState).toBe(WebSocket.OPEN);
});

test('a client that reads too slowly is closed when its buffer is full, without affecting others', async () => {
  const { hubId, key } = await publicCaller(hub);
  const keys = [key, (await hub.admin.issueKey({ hubId })).key];
  using stalled = await slowClient(hub);
  await stalled.subscribe(hubId);
  stalled.network.pause();
  using reader = await liveClient(hub);
  await reader.subscribe(hubId);
  const before = hub.deps.live.counts;
  let sent = 0;
  // More than the system's socket buffers hold, which is a few megabytes on loopback.
  while (hub.deps.live.counts.sockets === before.sockets && sent < 100) {
    await post(hub, 'notes', keys[sent % 2] ?? '', LARGE);
    sent += 1;
  }
  const { sockets, abnormalCloses, backpressureCloses } = hub.deps.live.counts;
  expect(sockets).toBe(before.sockets - 1);
  expect([abnormalCloses - before.abnormalCloses, backpressureCloses - before.backpressureCloses]).toEqual([1, 1]);
  const closed = hub.logged.findLast(({ message }) => message === 'Live connection closed');
  expect(closed?.fields).toMatchObject({ code: 1006, isTooSlow: true });
  expect((await reader.upTo(hubId, sent)).map(({ seq }) => seq)).toEqual(numbers(1, sent));
});

test('a client that reads too slowly is closed when too many responses wait for it', () => {
  let isTerminated = false;
  const wire = { getBufferedAmount: () => 100_000, terminate: () => (isTerminated = true) };
  const socket = new LiveSocket(wire as never, { requestId: 'req' } as never);
  socket.send('x'.repeat(512 * 1024));
  expect(isTerminated).toBe(false);
  socket.send('x');
  expect(isTerminated).toBe(true);
});

test('a client that reads too slowly gets the events of its other Hubs once, in order, when a replay has filled its connection', async () => {
  const [quiet, large] = [await publicCaller(hub), await publicCaller(hub)];
  await insertLongNotes(hub.store, { hubId: large.hubId, id: large.keyId }, 50);
  using slow = await slowClient(hub);
  await slow.subscribe(quiet.hubId);
  for (const text of ['one', 'two']) await post(hub, 'messages', quiet.key, { text });
  await slow.upTo(quiet.hubId, 2);
  slow.send({ type: 'subscribe', hubId: large.hubId, after: 0 });
  await slow.upTo(large.hubId, 1);
  slow.network.pause();
  await post(hub, 'messages', quiet.key, { text: 'three' });
  slow.network.resume();
  await Promise.all([slow.upTo(quiet.hubId, 3), slow.upTo(large.hubId, 50)]);
  expect(slow.seqs(quiet.hubId)).toEqual([1, 2, 3]);
  expect(slow.seqs(large.hubId)).toEqual(numbers(1, 50));
});

test('a client that reads too slowly gets a reset if the missed events are deleted before they are replayed', async () => {
  await using own = await startTestHub();
  const { hubId, keyId: id, key } = await publicCaller(own);
  await insertLongNotes(own.store, { hubId, id }, 50);
  using slow = await slowClient(own);
  slow.send({ type: 'subscribe', hubId, after: 0 });
  await slow.upTo(hubId, 1);
  slow.network.pause();
  own.clock.advance((LIMITS.eventRetentionDays + 1) * 24 * 60 * 60 * 1000);
  const other = await slowClient(own);
  other.send({ type: 'subscribe', hubId, after: 50 });
  await post(own, 'messages', key, { text: 'new' });
  // On PostgreSQL, the event may be published after the response.
  await other.upTo(hubId, 51);
  other[Symbol.dispose]();
  await own.prune();
  slow.network.resume();
  expect(await slow.until('reset')).toMatchObject({ hubId, seq: 51 });
  await post(own, 'messages', key, { text: 'newer' });
  await slow.upTo(hubId, 52);
  const seqs = slow.seqs(hubId);
  expect(seqs).toEqual([...numbers(1, seqs.length - 1), 52]);
  expect(seqs.length).toBeLessThan(50);
});

describe('while the database cannot be read', () => {
  const unreadable = () => Promise.reject(new Error('disk I/O error'));
  const own = perTest(startTestHub);
  const subscribed = async () => {
    const [{ id: hubId }, client] = [await own.admin.createHub(), await liveClient(own)];
    await client.subscribe(hubId);
    return { hubId, client };
  };

  test('a change is published by the next sweep that can read it', async () => {
    const { hubId, client } = await subscribed();
    const reads = [spyOn(own.store.events, 'read'), spyOn(own.store.events, 'heads')];
    for (const read of reads) read.mockImplementation(unreadable);
    await own.admin.raw('PATCH', `/hubs/${hubId}`, { name: 'Renamed' });
    await own.clock.untilSleeping();
    own.clock.advance(500);
    await own.clock.untilSleeping();
    expect(client.events()).toEqual([]);
    for (const read of reads) read.mockRestore();
    own.clock.advance(500);
    expect(await client.upTo(hubId, 1)).toMatchObject([{ event: 'hub.changed', data: { name: 'Renamed' } }]);
  });

  test('a connection whose rights cannot be checked is closed', async () => {
    const { client } = await subscribed();
    const reads = spyOn(own.store.hubs, 'find').mockImplementation(unreadable);
    await own.admin.createHub('Another');
    expect(await client.closed).toMatchObject({ code: 1011, reason: expect.stringContaining('Reconnect later') });
    reads.mockRestore();
  });
});

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
