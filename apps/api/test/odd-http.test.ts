import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { openConnection, rawHead, sendOnce } from '@hub/testkit/http';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';

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
  test('returns a bare 400 and stores nothing for a chunked body with trailer fields in its last packet', async () => {
    using socket = await openConnection(hub.url);
    await socket.write(`${postHead('Transfer-Encoding: chunked', 'Trailer: Expires')}${CHUNK}0\r\nExpires: 0\r\n\r\n`);
    const { status, body } = await socket.response();
    expect([status, body]).toEqual([400, '']);
    await expect(socket.response()).rejects.toThrow('ended without a response');
    expect(await stored()).toBe(0);
    expect(hub.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('stores a chunked body without trailer fields', async () => {
    const response = await sendOnce(hub.url, `${postHead('Transfer-Encoding: chunked')}${CHUNK}0\r\n\r\n`);
    expect(response.status).toBe(201);
    expect(await stored()).toBe(1);
  });

  test('closes the connection without any response when two requests arrive in the same packet', async () => {
    using socket = await openConnection(hub.url);
    const request = postHead(`Content-Length: ${BODY.length}`) + BODY;
    await socket.write(request + request);
    await expect(socket.response()).rejects.toThrow('ended without a response');
    // As documented in docs/reliability.md: the first request may have been stored, the second never is.
    expect(await stored()).toBeLessThanOrEqual(1);
  });

  test('does not read a second request in the same packet when the first has Connection: close', async () => {
    using socket = await openConnection(hub.url);
    const request = postHead(`Content-Length: ${BODY.length}`, 'Connection: close') + BODY;
    await socket.write(request + request);
    expect((await socket.response()).status).toBe(201);
    await expect(socket.response()).rejects.toThrow('ended without a response');
    expect(await stored()).toBe(1);
  });

  for (const [name, path] of [
    ['a space', '/api/public/v1/mess ages'],
    ['a NUL', '/api/public/v1/mess\0ages'],
  ] as const) {
    test(`returns a bare 505 for ${name} in the path`, async () => {
      const { status, body } = await sendOnce(hub.url, head(`POST ${path} HTTP/1.1`, 'Content-Length: 0'));
      expect([status, body]).toEqual([505, '']);
    });
  }

  test('closes the connection without a response for a method that HTTP does not define', async () => {
    for (const method of ['POTS', 'post']) {
      const response = sendOnce(hub.url, head(`${method} /api/public/v1/messages HTTP/1.1`, 'Content-Length: 0'));
      await expect(response).rejects.toThrow('ended without a response');
    }
  });

  test('returns 405 with the four fields for a method that the route does not have', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'M-SEARCH', 'OPTIONS']) {
      const response = await sendOnce(hub.url, head(`${method} /api/public/v1/messages HTTP/1.1`));
      expect([method, response.status, response.header('allow')]).toEqual([method, 405, 'POST']);
      expect(Object.keys(JSON.parse(response.body)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    }
  });

  test('returns 405 with the four fields for CONNECT, which has no path', async () => {
    const { status, body } = await sendOnce(hub.url, head('CONNECT hub.example:80 HTTP/1.1'));
    expect(status).toBe(405);
    expect(JSON.parse(body)).toMatchObject({ statusCode: 405, path: '/' });
  });
});

describe('the path of an error', () => {
  const pathOf = async (sent: string): Promise<string> => {
    const { body } = await sendOnce(hub.url, head(`POST ${sent} HTTP/1.1`, 'Content-Length: 0'));
    return (JSON.parse(body) as { path: string }).path;
  };

  test('is the path as sent, without the query', async () => {
    for (const path of [
      '/api/public/v1/%6dessages',
      '/api/public/v1//notes/',
      '/api/public/v1/%c3%a4',
      '/api/public/v1/a%2Fb',
    ]) {
      expect(await pathOf(`${path}?x=1&path=/y`)).toBe(path);
    }
  });

  // As documented in docs/public-api.md: this is how URLs are parsed (WHATWG URL, section 4.4), and Bun offers no other
  // form of the path.
  test('has its dot segments and backslashes resolved, and non-ASCII characters encoded', async () => {
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
