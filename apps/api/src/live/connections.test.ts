import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { liveClient } from '../testing/live-client.ts';
import { post, startTestHub, type TestHub } from '../testing/start-test-hub.ts';

const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub[Symbol.asyncDispose]());

async function newHub() {
  const { id: hubId } = await hub.admin.createHub();
  const { key } = await hub.admin.issueKey({ hubId });
  return { hubId, key };
}

describe('the handshake', () => {
  test('is refused without a credential, and without a wish for a WebSocket', async () => {
    expect((await hub.fetch('/api/v1/live')).status).toBe(401);
    const plain = await fetch('http://localhost/api/v1/live', { unix: hub.socketPath });
    expect(plain.status).toBe(426);
    expect(plain.headers.get('upgrade')).toBe('websocket');
    expect(await plain.json()).toMatchObject({ statusCode: 426, path: '/api/v1/live' });
  });

  test('of another version than 13, or of none, is 426 and names 13', async () => {
    for (const version of [{}, { 'sec-websocket-version': '8' }]) {
      const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': KEY, ...version };
      const answer = await fetch('http://localhost/api/v1/live', { unix: hub.socketPath, headers });
      expect(answer.status).toBe(426);
      expect(answer.headers.get('sec-websocket-version')).toBe('13');
      expect(await answer.json()).toMatchObject({ statusCode: 426, message: expect.stringContaining('must be 13') });
    }
  });

  test('is answered with the id of the request, as everything is', async () => {
    const { socket, head } = await clientByHand(hub);
    expect(head).toStartWith('HTTP/1.1 101 ');
    expect(head.toLowerCase()).toMatch(/\r\nx-request-id: req_[0-9a-z]{26}\r\n/);
    socket.destroy();
  });
});

describe('a connection that says nothing', () => {
  test('is asked after 25 seconds, stays if it answers, and is cut after 60 if not', async () => {
    await using own = await startTestHub();
    using answering = await liveClient(own);
    const { socket: silent } = await clientByHand(own);
    const pings: number[] = [];
    const asked = new Promise<void>((resolve) => {
      silent.on('data', (data: Buffer) => {
        pings.push(data[0] ?? 0);
        resolve();
      });
    });
    const cut = new Promise((resolve) => silent.on('close', resolve));
    const sweep = async (ms: number) => {
      for (let left = ms; left > 0; left -= 500) {
        await own.clock.slept();
        own.clock.advance(500);
        await answering.settled();
      }
    };
    await sweep(24_500);
    expect(pings).toEqual([]);
    await sweep(500);
    await asked;
    await sweep(35_000);
    await cut;
    // One ping frame of the server (RFC 6455, section 5.5.2), however long it waits.
    expect(pings).toEqual([0x89]);
    expect(answering.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('a reader that does not read', () => {
  test('is closed when its buffer is full, and harms no other', async () => {
    const { hubId } = await newHub();
    const keys = await Promise.all(Array.from({ length: 2 }, () => hub.admin.issueKey({ hubId })));
    const stalled = await stalledReader(hub, hubId);
    using reader = await liveClient(hub);
    await reader.subscribe(hubId);
    const before = hub.deps.live.counts;
    let sent = 0;
    // More than what the sockets of the system hold for it: some megabytes on loopback.
    while (hub.deps.live.counts.sockets === before.sockets && sent < 100) {
      await post(hub, 'notes', keys[sent % 2]?.key ?? '', { content: 'x'.repeat(190_000) });
      sent += 1;
    }
    expect(hub.deps.live.counts).toMatchObject({
      sockets: before.sockets - 1,
      abnormalCloses: before.abnormalCloses + 1,
    });
    expect((await reader.upTo(hubId, sent)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: sent }, (_, n) => n + 1),
    );
    stalled.destroy();
  });

  test('does not fill the memory with a long replay: it is paused until there is room', async () => {
    const { hubId, key } = await newHub();
    for (let n = 0; n < 50; n += 1) await post(hub, 'notes', key, { content: 'x'.repeat(190_000) });
    const stalled = await stalledReader(hub, hubId, 0);
    // Another one goes all the way meanwhile.
    using reader = await liveClient(hub);
    await reader.subscribe(hubId, { after: 0 });
    await reader.upTo(hubId, 50);
    expect(stalled.destroyed).toBe(false);
    // All of it and the answer to the handshake, in frames of their own: the contents alone are less.
    const { promise: complete, resolve } = Promise.withResolvers<void>();
    stalled.on('data', () => stalled.bytesRead >= 50 * 190_000 && resolve());
    stalled.resume();
    await complete;
    stalled.destroy();
  });
});

/** A client by hand, on the admin socket, with what the server has answered to its handshake. */
async function clientByHand({ socketPath }: TestHub): Promise<{ socket: Socket; head: string }> {
  const socket = connect(socketPath);
  socket.write(
    'GET /api/v1/live HTTP/1.1\r\nHost: hub\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
      `Sec-WebSocket-Key: ${KEY}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const head = await new Promise((resolve) => socket.once('data', resolve));
  return { socket, head: String(head) };
}

/** One that subscribes and then reads nothing. */
async function stalledReader(on: TestHub, hubId: string, after?: number): Promise<Socket> {
  const { socket } = await clientByHand(on);
  const text = Buffer.from(JSON.stringify({ type: 'subscribe', hubId, ...(after === undefined ? {} : { after }) }));
  // A short text frame, masked with zeros (RFC 6455, section 5.2).
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return socket;
}
