import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { openRaw, rawHead, rawRequest } from '../testing/raw-request.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { memberOf, tokenOf } from '../testing/users.ts';
import { BODY_STALL_MS, MAX_OPEN_BYTES, MAX_SENDER_BYTES } from './body-watch.ts';

const OPEN = ['session', 'links/inspection', 'links/redemption'];

const head = (path: string, length: string): string =>
  rawHead(`POST /api/v1/${path} HTTP/1.1`, 'Host: hub.example', 'Content-Type: application/json', length);

/** Announces a body of 16 KiB, of which all but a byte comes. Resolves once the server waits for the rest. */
async function silentPeer(hub: TestHub, address: string) {
  hub.comeFrom(address);
  const socket = await openRaw(hub.url);
  await socket.write(
    `${head('session', `Content-Length: ${LIMITS.openBodyBytes}`)}${' '.repeat(LIMITS.openBodyBytes - 1)}`,
  );
  // What was sent before is read before this is answered.
  await (await hub.fetch('/healthz')).text();
  return socket;
}

describe('the body of a request that anyone may send', () => {
  for (const path of OPEN) {
    test(`may have 16 KiB, and a byte more is 413 with the limit: ${path}`, async () => {
      await using hub = await startTestHub();
      const body = JSON.stringify({ token: 'x', email: 'a@example.org', password: 'x' });
      const send = async (size: number, isChunked: boolean) => {
        const text = body.padEnd(size);
        const [length, sent] = isChunked
          ? ['Transfer-Encoding: chunked', `${size.toString(16)}\r\n${text}\r\n0\r\n\r\n`]
          : [`Content-Length: ${size}`, text];
        return rawRequest(hub.url, head(path, length) + sent);
      };
      for (const isChunked of [false, true]) {
        expect((await send(LIMITS.openBodyBytes, isChunked)).status).not.toBe(413);
        const { status, text } = await send(LIMITS.openBodyBytes + 1, isChunked);
        expect(status).toBe(413);
        const error = JSON.parse(text) as Record<string, unknown>;
        expect(Object.keys(error).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
        expect(error.message).toContain('at most 16384 (16 KiB) are accepted');
      }
    });
  }

  test('is 408 after 15 seconds of silence', async () => {
    await using hub = await startTestHub();
    using socket = await silentPeer(hub, '192.0.2.1');
    await hub.clock.slept();
    for (let second = 0; second <= BODY_STALL_MS / 1_000; second += 1) {
      await hub.clock.slept();
      hub.clock.advance(1_000);
      await new Promise(setImmediate);
    }
    expect((await socket.response()).status).toBe(408);
  });

  test('makes room for others when too much is held together: first of the network that holds most, and nobody else', async () => {
    await using hub = await startTestHub();
    using other = await silentPeer(hub, '198.51.100.1');
    const greedy = [];
    // One more than there is room for.
    for (let held = LIMITS.openBodyBytes; held <= MAX_OPEN_BYTES; held += LIMITS.openBodyBytes) {
      greedy.push(await silentPeer(hub, '203.0.113.1'));
    }
    const [oldest] = greedy;
    const response = await oldest?.response();
    expect(response?.status).toBe(503);
    expect(response?.headers.get('retry-after')).toBe('1');
    expect(response?.headers.get('connection')).toBe('close');
    expect(Object.keys(JSON.parse(response?.text ?? '')).sort()).toEqual([
      'message',
      'path',
      'statusCode',
      'timestamp',
    ]);
    // Who holds little is heard, and so is the newest of those who hold much.
    for (const socket of [other, greedy.at(-1)]) {
      await socket?.write(' ');
      expect((await socket?.response())?.status).toBe(400);
    }
    // Their room is free again.
    using another = await silentPeer(hub, '203.0.113.1');
    await another.write(' ');
    expect((await another.response()).status).toBe(400);
    for (const socket of greedy) socket[Symbol.dispose]();
  });
});

describe('bodies of one user or key that are on their way together', () => {
  test('may hold 32 MiB: beyond it the oldest is 503 within a second, and those of another user are let be', async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub('Builds');
    const [ada, bob] = await Promise.all([memberOf(hub, hubId), memberOf(hub, hubId, { name: 'Bob Kahn' })]);
    const most = LIMITS.bodyBytes;
    const silent = async ({ headers }: { headers: Record<string, string> }) => {
      const socket = await openRaw(hub.url);
      const authorization = `Authorization: ${headers.authorization}`;
      await socket.write(
        rawHead(
          `POST /api/v1/hubs/${hubId}/messages HTTP/1.1`,
          'Host: hub.example',
          authorization,
          'Content-Type: application/json',
          `Content-Length: ${most}`,
        ) + ' '.repeat(most - 1),
      );
      await (await hub.fetch('/healthz')).text();
      return socket;
    };
    const tokens = [await tokenOf(hub, ada.user), await tokenOf(hub, bob.user)] as const;
    using other = await silent(tokens[1]);
    const greedy = [];
    for (let held = 0; held < MAX_SENDER_BYTES + most; held += most) greedy.push(await silent(tokens[0]));
    await hub.clock.slept();
    hub.clock.advance(1_000);
    const response = await greedy[0]?.response();
    expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, '1']);
    expect(Object.keys(JSON.parse(response?.text ?? '')).sort()).toEqual([
      'message',
      'path',
      'statusCode',
      'timestamp',
    ]);
    for (const socket of [other, greedy[1], greedy.at(-1)]) {
      await socket?.write(' ');
      expect((await socket?.response())?.status).toBe(400);
    }
    for (const socket of greedy) socket[Symbol.dispose]();
  });
});
