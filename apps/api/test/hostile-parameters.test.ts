import { beforeAll, describe, expect, test } from 'bun:test';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { shared } from '@hub/testkit/in-process/shared';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, type UserCaller } from '@hub/testkit/in-process/users';

/** Values that are not valid text, percent-encoded. */
const NOT_TEXT = {
  'a NUL': '%00',
  'a NUL in its midst': 'a%00b',
  'a byte that UTF-8 does not have': '%FF',
  'a character that is cut off': 'a%C3',
  'half of a surrogate pair': '%ED%A0%80',
};
const UNUSUAL = {
  '5,000 characters': 'x'.repeat(5_000),
  '400 emoji': '%F0%9F%91%A8'.repeat(400),
  'a percent sign alone': '%',
  'dots and slashes': '..%2F..%2Fetc%2Fpasswd',
  'a quotation mark': "%22'%22",
};

interface Route {
  method: string;
  path: string;
  query: string[];
}

async function allRoutes(): Promise<Route[]> {
  await using hub = await startTestHub();
  return hub.app.routes
    .filter(({ method, path }) => /^[A-Z]+$/.test(method) && !path.endsWith('/live'))
    .map(({ method, path, hooks }) => {
      const { parameters = [] } = ((hooks as { detail?: object }).detail ?? {}) as { parameters?: ParameterDetail[] };
      return { method, path, query: parameters.filter((each) => each.in === 'query').map(({ name }) => name) };
    });
}

interface ParameterDetail {
  in: string;
  name: string;
}

const routes = await allRoutes();
const hub = shared(startTestHub);
let owner: UserCaller;
let key: string;
beforeAll(async () => {
  owner = await signedIn(hub, { role: 'owner' });
  ({ key } = await publicCaller(hub));
});
async function ask({ method, path }: Pick<Route, 'method' | 'path'>): Promise<string> {
  // Stays below the rate limits for users and keys.
  hub.clock.advance(1_000);
  const isPublic = path.startsWith('/api/public/');
  const headers = isPublic ? { authorization: `Bearer ${key}` } : owner.headers;
  const body = method === 'GET' ? {} : { body: '{}' };
  const response = await hub.fetch(path, {
    method,
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    ...body,
  });
  const text = await response.text();
  if (response.status < 400) return `${response.status}`;
  const fields = Object.keys(JSON.parse(text) as object).sort();
  expect(fields).toEqual(['message', 'path', 'statusCode', 'timestamp']);
  return `${response.status}`;
}

describe('a parameter that is not valid text', () => {
  const inPath = routes.filter(({ path }) => /[:*]/.test(path));
  const inQuery = routes.flatMap((route) => route.query.map((name) => ({ ...route, name })));

  test('is tested on enough routes to be meaningful', () => {
    expect(inPath.length).toBeGreaterThan(40);
    expect(inQuery.length).toBeGreaterThan(40);
  });

  test.each(inPath)('returns 400 or 404, never 500, when it is in the path: $method $path', async (route) => {
    for (const value of [...Object.values(NOT_TEXT), ...Object.values(UNUSUAL)]) {
      const path = route.path.replaceAll(/:\w+|\*/g, value);
      expect([path.slice(0, 100), await ask({ ...route, path })]).toEqual([
        path.slice(0, 100),
        // A page for browsers can return 200 and show the error itself.
        expect.stringMatching(route.path.startsWith('/api/') ? /^(400|404)$/ : /^(200|400|404)$/),
      ]);
    }
  });

  test.each(inQuery)('returns 400 when it is in the query: $name of $method $path', async ({ name, ...route }) => {
    const base = route.path.replaceAll(/:\w+/g, 'x');
    for (const value of Object.values(NOT_TEXT)) {
      const path = `${base}?${name}=${value}`;
      expect([path, await ask({ ...route, path })]).toEqual([path, '400']);
    }
    const twice = `${base}?${name}=1&${name}=1`;
    expect([twice, await ask({ ...route, path: twice })]).toEqual([twice, '400']);
    for (const value of Object.values(UNUSUAL)) {
      const path = `${base}?${name}=${value}`;
      expect([path.slice(0, 100), await ask({ ...route, path })]).toEqual([
        path.slice(0, 100),
        expect.stringMatching(/^(200|400|404)$/),
      ]);
    }
  });

  test('is not confused with U+FFFD, which is valid text', async () => {
    expect(await ask({ method: 'GET', path: '/api/v1/search?q=what%EF%BF%BD' })).toBe('200');
  });

  test('is not logged as an error', () => {
    expect(hub.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
