import { describe, expect, test } from 'bun:test';
import { type LogLine, startTestHub } from '@hub/testkit/in-process/test-hub';
import { beginRequest, type Connection } from '../../http/request-context.ts';
import { createMetrics } from './metrics.ts';
import { observeRequests, routeLabels, UNKNOWN_ROUTE } from './observe-requests.ts';

/** Starts the real app with observation. */
async function startObserved() {
  const hub = await startTestHub();
  const metrics = createMetrics({ version: '1.2.3' });
  const { app, clock } = hub;
  const lines: LogLine[] = [];
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields });
  };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  const observe = observeRequests({ routes: app.routes, metrics, log, clock });
  const requestOver =
    (transport: Connection['transport']) =>
    async (method: string, path: string, init: RequestInit = {}) => {
      const request = new Request(`http://localhost${path}`, { method, ...init });
      const startedAt = clock.monotonic();
      const context = beginRequest(request, {
        transport,
        address: '192.0.2.1',
        origin: 'http://localhost',
        startedAt,
      });
      clock.advance(7.126);
      const response = await app.fetch(request);
      observe(request, context, response);
      context.responded();
      return response;
    };
  return {
    hub,
    metrics,
    lines,
    ask: requestOver('public'),
    askLocally: requestOver('local'),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

describe('each request is logged', () => {
  test('with its identifiers and none of its content', async () => {
    await using observed = await startObserved();
    const { id: hubId } = await observed.hub.admin.createHub();
    const issued = await observed.hub.admin.issueKey({ hubId });
    const response = await observed.ask('POST', '/api/public/v1/messages?access_token=x', {
      headers: { authorization: `Bearer ${issued.key}`, 'content-type': 'application/json' },
      body: '{"text":"private words"}',
    });
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: { id: string } };
    expect(observed.lines).toEqual([
      {
        level: 'info',
        message: 'request',
        fields: {
          requestId: response.headers.get('x-request-id'),
          method: 'POST',
          path: '/api/public/v1/messages',
          status: 201,
          durationMs: 7.13,
          address: '192.0.2.1',
          keyId: issued.id,
          hubId,
          itemId: data.id,
          seq: 1,
          liveViews: 0,
        },
      },
    ]);
  });

  test('even if it is rejected', async () => {
    await using observed = await startObserved();
    await observed.ask('POST', '/api/public/v1/messages');
    await observed.ask('GET', '/nowhere');
    expect(observed.lines.map(({ fields }) => fields)).toMatchObject([
      { status: 401, error: 'unauthenticated' },
      { status: 404, error: 'not_found' },
    ]);
  });

  test('with its path, truncated if it is long', async () => {
    await using observed = await startObserved();
    await observed.ask('GET', `/${'x'.repeat(5000)}`);
    expect(observed.lines.map(({ fields }) => (fields as { path: string }).path.length)).toEqual([200]);
  });
});

describe('the metrics', () => {
  test('count requests by method, route and status, and time them by route', async () => {
    await using observed = await startObserved();
    await observed.ask('GET', '/api/v1');
    await observed.ask('GET', '/api/v1/hubs/hub_1');
    const text = await observed.metrics.render();
    expect(text).toContain('hub_http_requests_total{method="GET",route="/api/v1",status="200"} 1');
    expect(text).toContain('hub_http_requests_total{method="GET",route="/api/v1/hubs/:hubId",status="401"} 1');
    expect(text).toContain('hub_http_request_duration_seconds_bucket{le="0.01",route="/api/v1"} 1');
    expect(text).toContain('hub_http_request_duration_seconds_bucket{le="0.005",route="/api/v1"} 0');
  });

  test('count rejected requests by API, and internal errors separately', async () => {
    await using observed = await startObserved();
    observed.hub.deps.store.workspace.totals = () => Promise.reject(new Error('a bug'));
    await observed.ask('GET', '/api/v1/hubs');
    await observed.ask('GET', '/nowhere');
    await observed.askLocally('GET', '/api/v1/status');
    const text = await observed.metrics.render();
    expect(text).toContain('hub_rejections_total{api="workspace",status="401",reason="unauthenticated"} 1');
    expect(text).toContain('hub_rejections_total{api="other",status="404",reason="not_found"} 1');
    expect(text).toContain('hub_rejections_total{api="workspace",status="500",reason="internal"} 1');
  });

  test('do not grow with unknown paths and methods', async () => {
    await using observed = await startObserved();
    await observed.ask('GET', '/first');
    await observed.ask('BREW', '/first');
    const before = (await observed.metrics.render()).split('\n').filter((line) => line.startsWith('hub_http')).length;
    for (let n = 0; n < 50; n += 1) {
      await observed.ask('GET', `/invented/${n}`);
      await observed.ask(`BREW${n}`, `/invented/${n}`);
    }
    const after = (await observed.metrics.render()).split('\n').filter((line) => line.startsWith('hub_http')).length;
    expect(after).toBe(before);
  });

  test('count posts by kind, and rejected requests by status and reason', async () => {
    await using observed = await startObserved();
    const { id: hubId } = await observed.hub.admin.createHub();
    const { key } = await observed.hub.admin.issueKey({ hubId, scopes: ['messages:create', 'todos:create'] });
    const post = (kind: string, body: object) =>
      observed.ask('POST', `/api/public/v1/${kind}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('notes', { content: 'no scope' });
    await post('todos', { title: 'a' });
    await post('relay/slack', { text: 'a' });
    for (let n = 0; n < 58; n += 1) await post('messages', { text: 'a' });
    const text = await observed.metrics.render();
    expect(text).toContain('hub_posts_total{kind="message"} 58');
    expect(text).toContain('hub_posts_total{kind="todo"} 1');
    expect(text).toContain('hub_rejections_total{api="public",status="403",reason="forbidden"} 1');
    expect(text).toContain('hub_rejections_total{api="public",status="403",reason="rate_limited"} 1');
  });
});

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
