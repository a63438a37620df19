import { expect, test } from 'bun:test';
import { routeLabels, UNKNOWN_ROUTE } from './route-labels.ts';

const label = routeLabels(
  ['/api/v1/hubs', '/api/v1/hubs/:hubId', '/api/v1/keys/:keyId/rotation', '/docs/*', '/a.b'].map((path) => ({ path })),
);

test.each([
  ['/api/v1/hubs', '/api/v1/hubs'],
  ['/api/v1/hubs/hub_1', '/api/v1/hubs/:hubId'],
  ['/api/v1/keys/key_1/rotation', '/api/v1/keys/:keyId/rotation'],
  ['/docs/a/b.js', '/docs/*'],
  ['/a.b', '/a.b'],
])('%s is counted under its route', (path, route) => expect(label(path)).toBe(route));

test('all unknown paths share one label', () => {
  const paths = Array.from({ length: 1000 }, (_, n) => `/invented/${n}`);
  expect(new Set([...paths, '/api/v1/hubs/', '/api/v1/hubs/a/b', '/aXb'].map(label))).toEqual(new Set([UNKNOWN_ROUTE]));
});
