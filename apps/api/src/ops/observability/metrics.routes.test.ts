import { describe, expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createApp } from '../../app.ts';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { createMetrics } from './metrics.ts';
import { metricsRoutes } from './process.routes.ts';

const token = 'c2VjcmV0LXNlY3JldA==';

async function startMetrics(metricsToken: string | null) {
  const hub = await startTestHub();
  const app = createApp(hub.deps).use(metricsRoutes({ metrics: createMetrics({ version: '1.2.3' }), metricsToken }));
  return {
    ask: (transport: Connection['transport'], path: string, headers: Record<string, string> = {}) => {
      const request = new Request(`http://localhost${path}`, { headers });
      beginRequest(request, { transport, address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
      return app.fetch(request);
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

test('the admin socket always serves the metrics in the Prometheus text format', async () => {
  await using hub = await startMetrics(null);
  const response = await hub.ask('local', '/metrics');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  expect(await response.text()).toContain(`hub_build_info{version="1.2.3",bun="${Bun.version}"} 1`);
});

test('the public listener serves the metrics with the token in the header, whatever the case of the scheme', async () => {
  await using hub = await startMetrics(token);
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    expect((await hub.ask('public', '/metrics', { authorization: `${scheme} ${token}` })).status).toBe(200);
  }
});

describe('the public listener returns 404 for the metrics', () => {
  const cases: [string, string | null, string, Record<string, string>][] = [
    ['if no token is configured', null, '/metrics', {}],
    ['if no token is configured and an empty one is sent', null, '/metrics', { authorization: 'Bearer ' }],
    ['without a token', token, '/metrics', {}],
    ['to a wrong token', token, '/metrics', { authorization: `Bearer ${token}x` }],
    ['to the start of the token', token, '/metrics', { authorization: `Bearer ${token.slice(0, -3)}` }],
    ['to the token in the query, where logs would keep it', token, `/metrics?access_token=${token}`, {}],
    ['to it in the query beside another scheme', token, `/metrics?access_token=${token}`, { authorization: 'Basic x' }],
    ['to it in a cookie', token, '/metrics', { cookie: `access_token=${token}` }],
    ['to it under another scheme', token, '/metrics', { authorization: `Basic ${token}` }],
    ['to it without a scheme', token, '/metrics', { authorization: token }],
  ];
  test.each(cases)('%s', async (_, configured, path, headers) => {
    await using hub = await startMetrics(configured);
    const response = await hub.ask('public', path, headers);
    expect(response.status).toBe(404);
    const body = (await response.json()) as { message: string };
    const nothing = (await (await hub.ask('public', '/metricz')).json()) as { message: string };
    expect(body.message).toBe(nothing.message.replace('metricz', 'metrics'));
  });
});
