import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { openConnection, rawHead, sendOnce } from '@hub/testkit/http';
import { post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { memberOf, tokenOf } from '@hub/testkit/in-process/users';
import { BODY_STALL_MS, MAX_OPEN_BYTES, MAX_SENDER_BYTES } from '../src/http/body-watch.ts';

const OPEN = ['session', 'links/inspection', 'links/redemption'];

const head = (path: string, length: string): string =>
  rawHead(`POST /api/v1/${path} HTTP/1.1`, 'Host: hub.example', 'Content-Type: application/json', length);

/** Announces a body of 16 KiB, and sends all but one byte. Resolves once the server waits for the rest. */
async function silentPeer(hub: TestHub, address: string) {
  hub.setClientAddress(address);
  const socket = await openConnection(hub.url);
  await socket.write(
    `${head('session', `Content-Length: ${LIMITS.openBodyBytes}`)}${' '.repeat(LIMITS.openBodyBytes - 1)}`,
  );
  // The server reads everything sent before this request.
  await (await hub.fetch('/healthz')).text();
  return socket;
}

describe('the body of an unauthenticated request', () => {
  for (const path of OPEN) {
    test(`can be 16 KiB long; one byte more returns 413 with the limit: ${path}`, async () => {
      await using hub = await startTestHub();
      const body = JSON.stringify({ token: 'x', email: 'a@example.org', password: 'x' });
      const send = async (size: number, isChunked: boolean) => {
        const text = body.padEnd(size);
        const [length, sent] = isChunked
          ? ['Transfer-Encoding: chunked', `${size.toString(16)}\r\n${text}\r\n0\r\n\r\n`]
          : [`Content-Length: ${size}`, text];
        return sendOnce(hub.url, head(path, length) + sent);
      };
      for (const isChunked of [false, true]) {
        expect((await send(LIMITS.openBodyBytes, isChunked)).status).not.toBe(413);
        const { status, body: returned } = await send(LIMITS.openBodyBytes + 1, isChunked);
        expect(status).toBe(413);
        const error = JSON.parse(returned) as Record<string, unknown>;
        expect(Object.keys(error).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
        expect(error.message).toContain('at most 16384 (16 KiB) are accepted');
      }
    });
  }

  test('returns 408 after 15 seconds of silence', async () => {
    await using hub = await startTestHub();
    using socket = await silentPeer(hub, '192.0.2.1');
    await hub.clock.untilSleeping();
    // The first look, after a second, finds the bytes that have arrived.
    for (let second = -1; second <= BODY_STALL_MS / 1_000; second += 1) {
      await hub.clock.untilSleeping();
      hub.clock.advance(1_000);
      await new Promise(setImmediate);
    }
    expect((await socket.response()).status).toBe(408);
  });

  test('is dropped if all bodies together use too much memory, first from the network that uses the most', async () => {
    await using hub = await startTestHub();
    using other = await silentPeer(hub, '198.51.100.1');
    const greedy = [];
    // One more than the limit allows.
    for (let held = LIMITS.openBodyBytes; held <= MAX_OPEN_BYTES; held += LIMITS.openBodyBytes) {
      greedy.push(await silentPeer(hub, '203.0.113.1'));
    }
    const [oldest] = greedy;
    const response = await oldest?.response();
    expect(response?.status).toBe(503);
    expect(response?.header('retry-after')).toBe('1');
    expect(response?.header('connection')).toBe('close');
    expect(Object.keys(JSON.parse(response?.body ?? '')).sort()).toEqual([
      'message',
      'path',
      'statusCode',
      'timestamp',
    ]);
    // A body from a network that holds little can continue, and so can the newest one from the network with the most.
    for (const socket of [other, greedy.at(-1)]) {
      await socket?.write(' ');
      expect((await socket?.response())?.status).toBe(400);
    }
    // The memory of the dropped and finished bodies is free again.
    using another = await silentPeer(hub, '203.0.113.1');
    await another.write(' ');
    expect((await another.response()).status).toBe(400);
    for (const socket of greedy) socket.close();
  });
});

describe('concurrent bodies from one user or key', () => {
  const most = LIMITS.bodyBytes;

  /** Begins a request, of whose body one byte is missing. */
  async function silent(hub: TestHub, path: string, authorization: string) {
    const socket = await openConnection(hub.url);
    await socket.write(
      rawHead(
        `POST ${path} HTTP/1.1`,
        'Host: hub.example',
        `Authorization: ${authorization}`,
        'Content-Type: application/json',
        `Content-Length: ${most}`,
      ) + ' '.repeat(most - 1),
    );
    // On PostgreSQL, authentication takes several turns of the event loop.
    for (let n = 0; n < 10; n += 1) await (await hub.fetch('/readyz')).text();
    return socket;
  }

  test('can total 32 MiB: one more gets 503 at once, without affecting other users', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Builds');
    const path = `/api/v1/hubs/${hubId}/messages`;
    const [ada, bob] = await Promise.all([memberOf(hub, hubId), memberOf(hub, hubId, { name: 'Bob Kahn' })]);
    const tokens = [await tokenOf(hub, ada.user), await tokenOf(hub, bob.user)] as const;
    const [ofAda, ofBob] = [tokens[0].headers.authorization ?? '', tokens[1].headers.authorization ?? ''];
    using other = await silent(hub, path, ofBob);
    const greedy = [];
    for (let held = 0; held < MAX_SENDER_BYTES; held += most) greedy.push(await silent(hub, path, ofAda));
    const response = await (await silent(hub, path, ofAda)).response();
    expect([response.status, response.header('retry-after')]).toEqual([503, '1']);
    expect(Object.keys(JSON.parse(response.body)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    for (const socket of [other, greedy[0], greedy[3]]) {
      await socket?.write(' ');
      expect((await socket?.response())?.status).toBe(400);
    }
    for (const socket of greedy) socket.close();
  });

  test('that arrive slowly keep none of the sender’s other requests waiting', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Builds');
    const { key } = await hub.admin.issueKey({ hubId });
    const token = await tokenOf(hub, (await memberOf(hub, hubId)).user);
    const authorization = token.headers.authorization ?? '';
    const silentOnes = [];
    for (let n = 0; n < 6; n += 1) {
      silentOnes.push(await silent(hub, `/api/v1/hubs/${hubId}/messages`, authorization));
      silentOnes.push(await silent(hub, '/api/public/v1/messages', `Bearer ${key}`));
    }
    expect((await token.json('POST', `/hubs/${hubId}/messages`, { text: 'Hello' })).status).toBe(201);
    expect((await post(hub, 'notes', key, LARGE_NOTE)).status).toBe(201);
    for (const socket of silentOnes) socket.close();
  });

  test('are processed four at a time: neither the sender’s session nor other users wait', async () => {
    const barrier = new WriteBarrier();
    await using hub = await startTestHub({
      wrapStore: (store) => ({
        ...store,
        transaction: async (work, sender) => {
          await barrier.pass(sender ?? '');
          return store.transaction(work, sender);
        },
      }),
    });
    const { id: hubId } = await hub.admin.createHub('Builds');
    const path = `/hubs/${hubId}/messages`;
    const ada = await memberOf(hub, hubId);
    const [bob, token] = [await memberOf(hub, hubId, { name: 'Bob Kahn' }), await tokenOf(hub, ada.user)];
    await token.json('POST', path, { text: 'First' });
    barrier.hold(barrier.last);
    const sent = Array.from({ length: 6 }, () => token.json('POST', path, { text: 'Hello' }));
    await barrier.until(4);
    for (const caller of [ada, bob]) expect((await caller.json('POST', path, { text: 'Hello' })).status).toBe(201);
    expect((await token.json('GET', '/me')).status).toBe(200);
    expect(barrier.count).toBe(4);
    barrier.release();
    for (const { status } of await Promise.all(sent)) expect(status).toBe(201);
  });

  test('with an API key are processed four at a time if they are large, and neither small posts nor other keys wait', async () => {
    const barrier = new WriteBarrier();
    await using hub = await startTestHub({
      wrapStore: (store) => ({
        ...store,
        posts: {
          write: async (...[item, rule]) => {
            await barrier.pass(`${item.keyId} ${item.kind}`);
            return store.posts.write(item, rule);
          },
        },
      }),
    });
    const { id } = await hub.admin.createHub('Builds');
    const [{ key }, other] = [await hub.admin.issueKey({ hubId: id }), await hub.admin.issueKey({ hubId: id })];
    expect((await post(hub, 'notes', key, LARGE_NOTE)).status).toBe(201);
    barrier.hold(barrier.last);
    const sent = Array.from({ length: 6 }, () => post(hub, 'notes', key, LARGE_NOTE));
    await barrier.until(4);
    expect((await post(hub, 'messages', key, { text: 'Small' })).status).toBe(201);
    expect((await post(hub, 'notes', other.key, LARGE_NOTE)).status).toBe(201);
    expect(barrier.count).toBe(4);
    barrier.release();
    for (const { status } of await Promise.all(sent)) expect(status).toBe(201);
  });
});

const LARGE_NOTE = { title: 'Large', content: 'x'.repeat(LIMITS.noteContentCodePoints) };

/** Keeps the writes of one sender waiting. */
class WriteBarrier {
  last = '';
  count = 0;
  #sender: string | null = null;
  #released = Promise.withResolvers<void>();

  async pass(sender: string): Promise<void> {
    this.last = sender;
    if (sender !== this.#sender) return;
    this.count += 1;
    await this.#released.promise;
  }

  hold(sender: string): void {
    this.#sender = sender;
  }

  release(): void {
    this.#released.resolve();
  }

  /** Resolves once so many writes are waiting. */
  async until(count: number): Promise<void> {
    while (this.count < count) await new Promise(setImmediate);
  }
}
