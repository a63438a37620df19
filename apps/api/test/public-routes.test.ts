import { expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { WEB_PATHS } from '../src/http/web/pages.routes.ts';

/** Routes that need no credential. A new route that is not listed fails the test below until a gate protects it. */
const PUBLIC_ROUTES = new Set([
  'GET /api/v1',
  'GET /api/v1/session',
  'GET /api/docs',
  'GET /api/openapi.json',
  'GET /setup',
  'GET /join',
  'GET /reset',
  'GET /offline',
  'GET /service-worker.js',
  'GET /app.webmanifest',
]);
/** Routes that write but need no credential, since their callers cannot be signed in yet. */
const PUBLIC_WRITES = new Set([
  'POST /api/v1/session',
  'POST /api/v1/links/inspection',
  'POST /api/v1/links/redemption',
]);
/** Pages that are the same for everyone. Clients that do not accept HTML get 404. */
const PAGES_FOR_BROWSERS = new Set(WEB_PATHS.map((path) => `GET ${path}`));
const PUBLIC_PREFIXES = ['/healthz', '/readyz', '/api/docs/', '/api/openapi.json/', '/assets/', '/app/'];

function isPublic(method: string, path: string): boolean {
  const route = `${method} ${path}`;
  if ([PUBLIC_ROUTES, PUBLIC_WRITES, PAGES_FOR_BROWSERS].some((routes) => routes.has(route))) return true;
  return PUBLIC_PREFIXES.some((prefix) => path.startsWith(prefix));
}

test('every route that is not on the public list returns 401 to an unauthenticated caller, whatever they send', async () => {
  await using hub = await startTestHub();
  const guarded = hub.app.routes.filter(({ method, path }) => !isPublic(method, path));
  expect(guarded.length).toBeGreaterThan(10);
  let address = 0;
  for (const { method, path } of guarded) {
    for (const body of [undefined, '{"name":"x"}', '{malformed']) {
      address += 1;
      hub.setClientAddress(`10.2.${address >> 8}.${address & 255}`);
      const response = await hub.fetch(path.replace(/:\w+/g, 'hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC'), {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' || method === 'HEAD' || body === undefined ? {} : { body }),
      });
      expect(`${method} ${path} ${response.status}`).toBe(`${method} ${path} 401`);
    }
  }
});

test('the root of the workspace API is public for GET only and returns 401 for writes', async () => {
  await using hub = await startTestHub();
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect((await hub.fetch('/api/v1', { method })).status).toBe(401);
  }
});

test('an API key gives access to the public API only', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key } = await hub.admin.issueKey({ hubId });
  for (const path of ['/api/v1/hubs', '/api/v1/keys', '/api/v1/status', '/api/v1/audit', '/api/v1/nothing']) {
    expect((await hub.fetch(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
  }
});

test('every route on the public list exists and is open to anyone', async () => {
  await using hub = await startTestHub();
  const known = new Set(hub.app.routes.map(({ method, path }) => `${method} ${path}`));
  for (const route of [...PUBLIC_ROUTES, ...PUBLIC_WRITES, ...PAGES_FOR_BROWSERS]) expect(known).toContain(route);
  for (const route of PUBLIC_ROUTES) expect((await hub.fetch(route.replace('GET ', ''))).status).toBe(200);
});

test('HEAD works wherever GET does, with the same status and no body', async () => {
  await using hub = await startTestHub();
  for (const path of ['/api/v1', '/api/openapi.json', '/api/v1/hubs', '/nowhere']) {
    const [get, head] = [await hub.fetch(path), await hub.fetch(path, { method: 'HEAD' })];
    expect(`${path} ${head.status}`).toBe(`${path} ${get.status}`);
    expect(await head.text()).toBe('');
  }
});

test('a wrong method returns 405, and Allow lists every method that the path supports', async () => {
  await using hub = await startTestHub();
  const { id } = await hub.admin.createHub();
  const allowOf = async (path: string) => {
    const response = await hub.admin.raw('PUT', path);
    expect(response.status).toBe(405);
    return response.headers.get('allow')?.split(', ').sort().join(' ');
  };
  expect(await allowOf('/hubs')).toBe('GET HEAD POST');
  expect(await allowOf(`/hubs/${id}`)).toBe('DELETE GET HEAD PATCH');
  expect(await allowOf(`/hubs/${id}/restoration`)).toBe('POST');
});
