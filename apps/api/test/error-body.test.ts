import { describe, expect, test } from 'bun:test';
import { openConnection, rawHead, sendOnce } from '@hub/testkit/http';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { onlyOnSqlite, startTestHub } from '@hub/testkit/in-process/test-hub';
import { StoreUnavailable } from '../src/platform/errors.ts';
import type { Store } from '../src/storage/store.ts';
import type { KeyLimiter } from '../src/workspace/keys/key-usage.ts';

/** Every error has the four fields and no more, also for HTTP that ordinary clients do not send. */
const PATH = '/api/public/v1/messages';
const withLookUp = onlyOnSqlite('one statement finds the key and counts');

/** The errors that the store throws for a post and for the look-up of a key, or `null` for none. */
const faults: Record<'post' | 'lookUp', unknown> = { post: null, lookUp: null };

function faulty(store: Store): Store {
  return {
    ...store,
    posts: { write: (...post) => (faults.post === null ? store.posts.write(...post) : Promise.reject(faults.post)) },
    keys: {
      ...store.keys,
      findByTokenHash: async (hash) => {
        if (faults.lookUp !== null) throw faults.lookUp;
        return store.keys.findByTokenHash(hash);
      },
    },
  };
}

const hub = shared(() => startTestHub({ wrapStore: faulty }));
const caller = shared(() => publicCaller(hub));

async function expectFourFields(response: Response, statusCode: number, path: string): Promise<string> {
  expect(response.status).toBe(statusCode);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
  const body = await errorOf(response);
  expect(Object.keys(body).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
  expect(body).toMatchObject({ statusCode, path, timestamp: new Date(hub.clock.now()).toISOString() });
  expect(body.message.length).toBeGreaterThan(10);
  return body.message;
}

async function whileFailing(fault: keyof typeof faults, error: unknown): Promise<Response> {
  faults[fault] = error;
  const response = await caller.request(PATH, { body: { text: 'x' } });
  faults[fault] = null;
  return response;
}

describe('the body of an error has exactly the four fields', () => {
  test('for 400, with the path but not the query, 401, 403 (scope and block), 413 and 415', async () => {
    for (const [status, query, sent] of [
      [400, '?key=secret&x=/y', { body: {} }],
      [401, '', { authorization: null }],
      [413, '', { body: new Uint8Array(1_048_577) }],
      [415, '', { contentType: 'text/plain', body: {} }],
    ] as const)
      await expectFourFields(await caller.request(PATH + query, sent), status, PATH);
    const reader = await publicCaller(hub, { scopes: ['notes:create'] });
    const message = await expectFourFields(await reader.request(PATH, { body: { text: 'x' } }), 403, PATH);
    expect(message).toContain('messages:create ("Create message")');
    for (let count = 0; count <= 60; count += 1) (hub.deps.limiter as KeyLimiter).admit(reader.keyId);
    expect(await expectFourFields(await reader.request(PATH), 403, PATH)).toContain('300 seconds');
  });

  test('for 404 on every unknown path under /api, also if the client accepts HTML, with the known paths, and for 405, with Allow', async () => {
    const message = await expectFourFields(await caller.request(`${PATH}s?a=b`), 404, `${PATH}s`);
    expect(message).toContain('/api/public/v1/todos');
    for (const path of ['/api', '/api/', '/api/x', '/api/public/v2/messages', '/api/public/v1x/messages']) {
      await expectFourFields(await hub.fetch(path, { headers: { accept: 'text/html' } }), 404, path);
    }
    for (const [path, allow, response] of [
      [PATH, 'POST', await caller.request(PATH, { method: 'GET' })],
      ['/api/openapi.json', 'GET', await hub.fetch('/api/openapi.json', { method: 'DELETE' })],
    ] as const) {
      expect(response.headers.get('allow')).toContain(allow);
      await expectFourFields(response, 405, path);
    }
  });

  test('for 500, whatever is thrown, with the cause only in the log, and for 503, which says when to try again', async () => {
    for (const thrown of [
      new Error('SELECT internal FROM vault'),
      'internal',
      { status: 418, message: 'internal' },
      Object.assign(new Error('internal'), { status: 200, code: 'NOT_FOUND' }),
    ]) {
      const response = await whileFailing('post', thrown);
      const requestId = response.headers.get('x-request-id');
      expect(await expectFourFields(response, 500, PATH)).not.toContain('internal');
      const fields = expect.objectContaining({ requestId });
      expect(hub.logged).toContainEqual(expect.objectContaining({ level: 'error', fields }));
    }
    const response = await whileFailing('post', new StoreUnavailable(new Error('disk full at /var/lib')));
    expect(await expectFourFields(response, 503, PATH)).toContain('Nothing was stored');
    expect(response.headers.get('retry-after')).toBe('5');
    const lost = await whileFailing('post', new StoreUnavailable(new Error('no response'), { mayBeStored: true }));
    const message = await expectFourFields(lost, 503, PATH);
    expect(message).toContain('may have been stored');
    expect(message).not.toContain('Nothing was stored');
  });

  withLookUp.test('for 503, never 401, if the key look-up fails', async () => {
    const response = await whileFailing('lookUp', new StoreUnavailable(new Error('disk I/O error')));
    await expectFourFields(response, 503, PATH);
    expect(response.headers.has('www-authenticate')).toBe(false);
  });

  test('for 404 outside /api, unless the client accepts HTML', async () => {
    await expectFourFields(await hub.fetch('/nowhere?x=1'), 404, '/nowhere');
    const page = await hub.fetch('/nowhere<b>', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.has('x-request-id')]).toEqual([404, true]);
    expect(await page.text()).not.toContain('<b>');
    for (const [format, accepts] of [
      ['html', ['text/html', 'TEXT/HTML ; Q=0.5, application/json;q=0.4', 'application/json, text/html']],
      ['json', ['text/html;q=0', 'application/json, text/html;q=0.1', 'text/html;q=high', 'x-text/html', '']],
    ] as const)
      for (const accept of accepts) {
        const type = (await hub.fetch('/nowhere', { headers: { accept } })).headers.get('content-type');
        expect([accept, type]).toEqual([accept, expect.stringContaining(format)]);
      }
  });
});

const BODY = '{"text":"x"}';
const head = (line: string, ...fields: string[]) => {
  const usual = ['Host: hub.example', `Authorization: Bearer ${caller.key}`, 'Content-Type: application/json'];
  return rawHead(`${line} HTTP/1.1`, ...usual, ...fields);
};
const stored = async () => (await hub.admin.showKey(caller.keyId)).postCount;

test('of two requests in the same packet, the second is never stored, as docs/reliability.md says', async () => {
  for (const [fields, status] of [
    [[], null],
    [['Connection: close'], 201],
  ] as const) {
    const before = await stored();
    using socket = await openConnection(hub.url);
    const request = head(`POST ${PATH}`, `Content-Length: ${BODY.length}`, ...fields) + BODY;
    await socket.write(request + request);
    if (status !== null) expect((await socket.response()).status).toBe(status);
    await expect(socket.response()).rejects.toThrow('ended without a response');
    expect((await stored()) - before).toBeLessThanOrEqual(1);
  }
});

test('a method that the route does not have gets 405 with the four fields, also CONNECT, which has no path', async () => {
  for (const line of [`TRACE ${PATH}`, `PROPFIND ${PATH}`, `M-SEARCH ${PATH}`, 'CONNECT hub.example:80']) {
    const { status, body } = await sendOnce(hub.url, head(line));
    expect([line, status]).toEqual([line, 405]);
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(['message', 'path', 'statusCode', 'timestamp']);
    expect(JSON.parse(body).path).toBe(line.startsWith('CONNECT') ? '/' : PATH);
  }
});

// As docs/public-api.md says: this is how URLs are parsed (WHATWG URL, section 4.4).
test('the path of an error is the path as sent; dot segments and backslashes are resolved', async () => {
  for (const [sent, path] of [
    ['/api/public/v1/%6dessages', '/api/public/v1/%6dessages'],
    ['/api/public/v1//notes/', '/api/public/v1//notes/'],
    ['/api/public/v1/a%2Fb', '/api/public/v1/a%2Fb'],
    ['/api/public/v1/%2e%2e/v1/./lost', '/api/public/v1/lost'],
    ['/api/public/v1\\lost', '/api/public/v1/lost'],
    ['/api/public/v1/ä', '/api/public/v1/%C3%A4'],
  ] as const) {
    const { body } = await sendOnce(hub.url, head(`POST ${sent}?x=1&path=/y`, 'Content-Length: 0'));
    expect([sent, JSON.parse(body).path]).toEqual([sent, path]);
  }
});
