import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { errorOf, publicCaller } from '@hub/testkit/in-process/public-caller';
import { onlyOnSqlite, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { AppError, StoreUnavailable } from '../src/platform/errors.ts';
import type { Store } from '../src/storage/store.ts';

const PATH = '/api/public/v1/messages';

/** The error that the store throws for the next post, or `null` for none. */
let storageError: unknown = null;
let lookUpError: unknown = null;

function faulty(store: Store): Store {
  return {
    ...store,
    posts: {
      write: (...post) => (storageError === null ? store.posts.write(...post) : Promise.reject(storageError)),
    },
    keys: {
      ...store.keys,
      findByTokenHash: async (hash) => {
        if (lookUpError !== null) throw lookUpError;
        return store.keys.findByTokenHash(hash);
      },
    },
  };
}

describe('the body of an error', () => {
  let hub: TestHub;
  let caller: Awaited<ReturnType<typeof publicCaller>>;
  beforeAll(async () => {
    hub = await startTestHub({ wrapStore: faulty });
    caller = await publicCaller(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

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

  test('has exactly the four fields for 400, with the path but not the query', async () => {
    await expectFourFields(await caller.request(`${PATH}?key=secret&x=/y`, { body: {} }), 400, PATH);
  });

  test('has exactly the four fields for 401', async () => {
    await expectFourFields(await caller.request(PATH, { authorization: null }), 401, PATH);
  });

  test('has exactly the four fields for 403, for a missing scope and for a block', async () => {
    const reader = await publicCaller(hub, { scopes: ['notes:create'] });
    const message = await expectFourFields(await reader.request(PATH, { body: { text: 'x' } }), 403, PATH);
    expect(message).toContain('messages:create ("Create message")');
    for (let count = 0; count <= 60; count += 1) await hub.deps.limiter.admit(reader.keyId);
    expect(await expectFourFields(await reader.request(PATH), 403, PATH)).toContain('300 seconds');
  });

  test('has exactly the four fields for 404 on every unknown path under /api, and lists the known paths', async () => {
    const message = await expectFourFields(await caller.request(`${PATH}s?a=b`), 404, `${PATH}s`);
    expect(message).toContain('/api/public/v1/todos');
    for (const path of [
      '/api',
      '/api/',
      '/api/x',
      '/api/public',
      '/api/public/v2/messages',
      '/api/public/v1x/messages',
    ]) {
      await expectFourFields(await hub.fetch(path), 404, path);
    }
  });

  test('has exactly the four fields and an Allow header for 405, in the public API and elsewhere', async () => {
    const response = await caller.request(PATH, { method: 'GET' });
    expect(response.headers.get('allow')).toBe('POST');
    await expectFourFields(response, 405, PATH);
    const other = await hub.fetch('/api/openapi.json', { method: 'DELETE' });
    expect(other.headers.get('allow')).toContain('GET');
    await expectFourFields(other, 405, '/api/openapi.json');
  });

  test('has exactly the four fields for 413 and 415', async () => {
    await expectFourFields(await caller.request(PATH, { body: new Uint8Array(1_048_577) }), 413, PATH);
    await expectFourFields(await caller.request(PATH, { contentType: 'text/plain', body: {} }), 415, PATH);
  });

  test('has exactly the four fields for 500, and the cause is only in the log', async () => {
    storageError = new Error('SELECT secret FROM vault');
    const response = await caller.request(PATH, { body: { text: 'x' } });
    storageError = null;
    const requestId = response.headers.get('x-request-id');
    const message = await expectFourFields(response, 500, PATH);
    expect(message).not.toContain('vault');
    expect(hub.logged).toContainEqual(
      expect.objectContaining({ level: 'error', fields: expect.objectContaining({ requestId }) }),
    );
  });

  test('is a 500 for anything that is thrown, even if it is not an Error or has its own status', async () => {
    for (const thrown of [
      'text',
      { status: 418, message: 'internal' },
      Object.assign(new Error('internal'), { status: 200, code: 'NOT_FOUND' }),
    ]) {
      storageError = thrown;
      const response = await caller.request(PATH, { body: { text: 'x' } });
      storageError = null;
      expect(await expectFourFields(response, 500, PATH)).not.toContain('internal');
    }
  });

  test('has exactly the four fields for 503, and says that nothing was stored and when to try again', async () => {
    storageError = new StoreUnavailable(new Error('disk full at /var/lib'));
    const response = await caller.request(PATH, { body: { text: 'x' } });
    storageError = null;
    expect(await expectFourFields(response, 503, PATH)).toContain('Nothing was stored');
    expect(response.headers.get('retry-after')).toBe('5');
  });

  onlyOnSqlite('one statement finds the key and counts').test(
    'is a 503, never a 401, when the store fails during the key look-up',
    async () => {
      lookUpError = new StoreUnavailable(new Error('disk I/O error'));
      const response = await caller.request(PATH, { body: { text: 'x' } });
      lookUpError = null;
      await expectFourFields(response, 503, PATH);
      expect(response.headers.has('www-authenticate')).toBe(false);
    },
  );

  test('is a 404 when the Hub is deleted while the post is being stored', async () => {
    storageError = new AppError('not_found', 'The Hub of this key was deleted.');
    const response = await caller.request(PATH, { body: { text: 'x' } });
    storageError = null;
    await expectFourFields(response, 404, PATH);
  });

  test('is the same JSON outside /api, unless the client accepts HTML', async () => {
    await expectFourFields(await hub.fetch('/nowhere?x=1'), 404, '/nowhere');
    const page = await hub.fetch('/nowhere<b>', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.has('x-request-id')).toBe(true);
    expect(await page.text()).not.toContain('<b>');
  });

  test.each([
    ['text/html', 'html'],
    ['TEXT/HTML ; Q=0.5, application/json;q=0.4', 'html'],
    ['text/html;level=1', 'html'],
    ['application/json, text/html', 'html'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
    ['text/html;q=0', 'json'],
    ['text/html;q=0.0, */*', 'json'],
    ['application/json, text/html;q=0.1', 'json'],
    ['*/*, text/html;q=0.1', 'json'],
    ['application/*;q=0.9, text/html;q=0.8', 'json'],
    ['text/html;q=high', 'json'],
    ['x-text/html', 'json'],
    ['text/*', 'json'],
    ['*/*', 'json'],
    ['', 'json'],
  ])('outside /api, with Accept: %s, is %s', async (accept, format) => {
    const { headers } = await hub.fetch('/nowhere', { headers: { accept } });
    expect(headers.get('content-type')).toContain(format);
  });

  test('is JSON under /api, even if the client accepts HTML', async () => {
    const response = await hub.fetch('/api/nowhere', { headers: { accept: 'text/html' } });
    await expectFourFields(response, 404, '/api/nowhere');
  });
});
