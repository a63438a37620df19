import { describe, expect, test } from 'bun:test';
import { createApp } from '../app.ts';
import { StoreUnavailable } from '../errors.ts';
import { noteConnection } from '../http/connection.ts';
import { startTestHub } from '../testing/start-test-hub.ts';
import { healthRoutes } from './health.routes.ts';
import { Lifecycle } from './lifecycle.ts';

async function startHealth(probe?: () => Promise<void>) {
  const hub = await startTestHub();
  const lifecycle = new Lifecycle();
  const store = probe ? { probe } : hub.store;
  const app = createApp(hub.deps).use(healthRoutes({ store, lifecycle }));
  return {
    lifecycle,
    ask: async (path: string, method = 'GET') => {
      const request = new Request(`http://localhost${path}`, { method });
      noteConnection(request, { transport: 'public', address: '192.0.2.1', origin: 'http://localhost' });
      const response = await app.fetch(request);
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : JSON.parse(text) };
    },
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

describe('GET /healthz', () => {
  test('answers 200 as long as the process is alive, also while it starts, stops, or its store fails', async () => {
    await using health = await startHealth(() => Promise.reject(new StoreUnavailable(new Error())));
    expect(await health.ask('/healthz')).toEqual({ status: 200, body: { status: 'alive' } });
    health.lifecycle.stop();
    expect((await health.ask('/healthz')).status).toBe(200);
  });
});

describe('GET /readyz', () => {
  test('is 503 until the server serves, 200 then, and 503 once it stops', async () => {
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

  test('a server that stops does not become ready again', async () => {
    await using health = await startHealth();
    health.lifecycle.stop();
    health.lifecycle.serve();
    expect((await health.ask('/readyz')).status).toBe(503);
  });

  test('is 503 while the store does not answer', async () => {
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

test('load balancers may ask with HEAD', async () => {
  await using health = await startHealth();
  expect((await health.ask('/healthz', 'HEAD')).status).toBe(200);
  expect((await health.ask('/readyz', 'HEAD')).status).toBe(503);
});
