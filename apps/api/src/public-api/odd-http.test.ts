import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { publicCaller } from '../testing/public-caller.ts';
import { openRaw, rawHead, rawRequest } from '../testing/raw-request.ts';
import { startTestHub, type TestHub } from '../testing/start-test-hub.ts';

const BODY = '{"text":"x"}';
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n`;

let hub: TestHub;
let caller: Awaited<ReturnType<typeof publicCaller>>;
beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  caller = await publicCaller(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

const head = (line: string, ...fields: string[]): string =>
  rawHead(
    line,
    'Host: hub.example',
    `Authorization: Bearer ${caller.key}`,
    'Content-Type: application/json',
    ...fields,
  );
const postHead = (...fields: string[]): string => head('POST /api/public/v1/messages HTTP/1.1', ...fields);
const stored = async (): Promise<number | undefined> => (await hub.store.hubs.find(caller.hubId))?.seq;

describe('HTTP that ordinary clients do not send', () => {
  test('a chunked body with trailer fields in its last packet is a bare 400, and nothing is stored', async () => {
    using socket = await openRaw(hub.url);
    await socket.write(`${postHead('Transfer-Encoding: chunked', 'Trailer: Expires')}${CHUNK}0\r\nExpires: 0\r\n\r\n`);
    const { status, text } = await socket.response();
    expect([status, text]).toEqual([400, '']);
    await expect(socket.response()).rejects.toThrow('ended without an answer');
    expect(await stored()).toBe(0);
    expect(hub.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('a chunked body without them is stored', async () => {
    const response = await rawRequest(hub.url, `${postHead('Transfer-Encoding: chunked')}${CHUNK}0\r\n\r\n`);
    expect(response.status).toBe(201);
    expect(await stored()).toBe(1);
  });

  test('a second request in the same packet ends the connection without a response', async () => {
    using socket = await openRaw(hub.url);
    const request = postHead(`Content-Length: ${BODY.length}`) + BODY;
    await socket.write(request + request);
    await expect(socket.response()).rejects.toThrow('ended without an answer');
    // docs/reliability.md says so: the first may have been stored, the second never is.
    expect(await stored()).toBeLessThanOrEqual(1);
  });

  test('a second request in the same packet is left unread when the first says that it is the last', async () => {
    using socket = await openRaw(hub.url);
    const request = postHead(`Content-Length: ${BODY.length}`, 'Connection: close') + BODY;
    await socket.write(request + request);
    expect((await socket.response()).status).toBe(201);
    await expect(socket.response()).rejects.toThrow('ended without an answer');
    expect(await stored()).toBe(1);
  });

  for (const [name, path] of [
    ['a space', '/api/public/v1/mess ages'],
    ['a NUL', '/api/public/v1/mess\0ages'],
  ] as const) {
    test(`${name} in the path is a bare 505`, async () => {
      const { status, text } = await rawRequest(hub.url, head(`POST ${path} HTTP/1.1`, 'Content-Length: 0'));
      expect([status, text]).toEqual([505, '']);
    });
  }

  test('a method that HTTP does not know ends the connection without a response', async () => {
    for (const method of ['POTS', 'post']) {
      const response = rawRequest(hub.url, head(`${method} /api/public/v1/messages HTTP/1.1`, 'Content-Length: 0'));
      await expect(response).rejects.toThrow('ended without an answer');
    }
  });

  test('a method that HTTP knows and the route does not is 405 with the four fields', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'M-SEARCH', 'OPTIONS']) {
      const { status, headers, text } = await rawRequest(hub.url, head(`${method} /api/public/v1/messages HTTP/1.1`));
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
      expect(Object.keys(JSON.parse(text)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    }
  });

  test('CONNECT, which names no path, is 405 with the four fields', async () => {
    const { status, text } = await rawRequest(hub.url, head('CONNECT hub.example:80 HTTP/1.1'));
    expect(status).toBe(405);
    expect(JSON.parse(text)).toMatchObject({ statusCode: 405, path: '/' });
  });
});

describe('the path of an error', () => {
  const pathOf = async (sent: string): Promise<string> => {
    const { text } = await rawRequest(hub.url, head(`POST ${sent} HTTP/1.1`, 'Content-Length: 0'));
    return (JSON.parse(text) as { path: string }).path;
  };

  test('is as it was sent, without the query', async () => {
    for (const path of [
      '/api/public/v1/%6dessages',
      '/api/public/v1//notes/',
      '/api/public/v1/%c3%a4',
      '/api/public/v1/a%2Fb',
    ]) {
      expect(await pathOf(`${path}?x=1&path=/y`)).toBe(path);
    }
  });

  // docs/public-api.md says so: it is how URLs are read (WHATWG URL, section 4.4), and Bun gives no other form of them.
  test('has its dot segments and backslashes resolved, and what is not ASCII encoded', async () => {
    for (const [sent, path] of [
      ['/api/public/v1/%2e%2e/v1/./lost', '/api/public/v1/lost'],
      ['/api/public/v1/.%2E/v1/lost', '/api/public/v1/lost'],
      ['/api/public/v1\\lost', '/api/public/v1/lost'],
      ['/api/public/v1/ä', '/api/public/v1/%C3%A4'],
    ] as const) {
      expect([sent, await pathOf(sent)]).toEqual([sent, path]);
    }
  });
});
