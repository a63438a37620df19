import { describe, expect, test } from 'bun:test';
import { startTestHub } from '@hub/testkit/in-process/test-hub';
import { createApp } from '../../app.ts';
import { beginRequest } from '../../http/request-context.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import { healthRoutes } from './process.routes.ts';

async function startHealth(probe?: () => Promise<void>) {
  const hub = await startTestHub();
  const lifecycle = new Lifecycle();
  const store = probe ? { probe } : hub.store;
  const app = createApp(hub.deps).use(healthRoutes({ store, lifecycle }));
  return {
    lifecycle,
    ask: async (path: string, method = 'GET') => {
      const request = new Request(`http://localhost${path}`, { method });
      beginRequest(request, { transport: 'public', address: '192.0.2.1', origin: 'http://localhost', startedAt: 0 });
      const response = await app.fetch(request);
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

describe('GET /healthz', () => {
  test('returns 200 while the process is alive, even while it is starting or stopping or its store is failing', async () => {
    await using health = await startHealth(() => Promise.reject(new StoreUnavailable(new Error())));
    expect(await health.ask('/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
    health.lifecycle.stop();
    expect((await health.ask('/healthz')).status).toBe(200);
  });
});

describe('GET /readyz', () => {
  test('returns 503 until the server is ready, then 200, and 503 once it stops', async () => {
    await using health = await startHealth();
    expect(await health.ask('/readyz')).toMatchObject({
      status: 503,
      body: { statusCode: 503, message: 'The server is starting.', path: '/readyz' },
    });
    health.lifecycle.serve();
    expect(await health.ask('/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    health.lifecycle.stop();
    expect(await health.ask('/readyz')).toMatchObject({ status: 503, body: { message: 'The server is stopping.' } });
  });

  test('never returns 200 again once the server is stopping', async () => {
    await using health = await startHealth();
    health.lifecycle.stop();
    health.lifecycle.serve();
    expect((await health.ask('/readyz')).status).toBe(503);
  });

  test('returns 503 while the store does not respond', async () => {
    let isFailing = true;
    await using health = await startHealth(() =>
      isFailing ? Promise.reject(new StoreUnavailable('')) : Promise.resolve(),
    );
    health.lifecycle.serve();
    expect((await health.ask('/readyz')).status).toBe(503);
    isFailing = false;
    expect((await health.ask('/readyz')).status).toBe(200);
  });
});

test('both health checks support HEAD', async () => {
  await using health = await startHealth();
  expect((await health.ask('/healthz', 'HEAD')).status).toBe(200);
  expect((await health.ask('/readyz', 'HEAD')).status).toBe(503);
});
