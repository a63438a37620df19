import { describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { timedClient } from '@hub/testkit/client/timed-client';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { HubClient, HubUsageError } from './index.ts';

async function start() {
  const server = startScriptedServer();
  return {
    server,
    hub: new HubClient({ baseUrl: server.url, apiKey: TEST_KEY, pacing: false }),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

describe('a post', () => {
  test('is one POST request with a JSON body and the key only in the Authorization header', async () => {
    await using s = await start();
    await s.hub.messages.create({ text: 'Grüße, **Welt**' });
    const [request] = s.server.requests;
    expect(s.server.requests).toHaveLength(1);
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/api/public/v1/messages');
    expect(JSON.parse(request?.body ?? '')).toEqual({ text: 'Grüße, **Welt**' });
    expect(request?.headers.get('content-type')).toBe('application/json');
    expect(request?.headers.get('accept')).toBe('application/json');
    expect(request?.headers.get('user-agent')).toMatch(/^hub-client\/\d+\.\d+\.\d+$/);
    const holdingKey = [...(request?.headers ?? [])].filter(([, value]) => value.includes(TEST_KEY));
    expect(holdingKey).toEqual([['authorization', `Bearer ${TEST_KEY}`]]);
  });

  test('accepts a Date as dueDate, and rejects an invalid Date before anything is sent', async () => {
    await using s = await start();
    await s.hub.todos.create({ title: 'Renew', dueDate: new Date('2026-03-01T10:30:00+01:00') });
    expect(JSON.parse(s.server.requests[0]?.body ?? '').dueDate).toBe('2026-03-01T09:30:00.000Z');
    const failure = s.hub.todos.create({ title: 'Renew', dueDate: new Date('soon') });
    await expect(failure).rejects.toThrow(new HubUsageError('dueDate is an invalid Date.'));
    expect(s.server.requests).toHaveLength(1);
  });

  test('contains the input as it was at the time of the call, even if the object changes later', async () => {
    await using s = await start();
    const input = { text: 'before' };
    const posted = s.hub.messages.create(input);
    input.text = 'after';
    await posted;
    expect(s.server.requests[0]?.body).toBe('{"text":"before"}');
  });
});

describe('the key', () => {
  test('does not appear in an error, even if a proxy quotes the request in its page', async () => {
    await using s = await start();
    s.server.respondWith(({ headers }) => {
      const page = `<h1>Bad gateway</h1><pre>${headers.get('authorization')}</pre>`;
      return new Response(page, { status: 502, headers: { 'content-type': 'text/html' } });
    });
    const error = await s.hub.messages.create({ text: 'x' }).catch((thrown) => thrown);
    expect(error.message).toContain('Bad gateway Bearer hub_live_…');
    expect(inspect(error, { showHidden: true, depth: 20 })).not.toContain(TEST_KEY.slice(9));
  });
});

describe('onResponse', () => {});

describe('onRequest', () => {
  test('is called before each request, with the number of the attempt, and onResponse with its duration', async () => {
    await using s = await start();
    const notified: unknown[] = [];
    const { hub, clock } = timedClient({
      baseUrl: s.server.url,
      apiKey: TEST_KEY,
      waitWhenBlocked: true,
      timeoutMs: Number.POSITIVE_INFINITY,
      onRequest: (request) => notified.push(['client', request]),
      onResponse: ({ attempt, durationMs, statusCode }) => notified.push([attempt, durationMs, statusCode]),
    });
    s.server.respondWith(({ path }, number) => {
      expect(path).toBe('/api/public/v1/notes');
      clock.advance(250);
      return number === 1 ? errorResponse(403, undefined, { 'retry-after': '7' }) : created();
    });
    const posted = hub.notes.create({ content: 'x' }, { onRequest: (request) => notified.push(['call', request]) });
    await clock.untilSleeping();
    clock.advance(7_000);
    await posted;
    const first = { path: '/api/public/v1/notes', attempt: 1 };
    const second = { ...first, attempt: 2 };
    expect(notified).toEqual([
      ['call', first],
      ['client', first],
      [1, 250, 403],
      ['call', second],
      ['client', second],
      [2, 250, 201],
    ]);
  });
});

test('a path prefix in baseUrl comes before the path of the API', async () => {
  await using s = await start();
  const hub = new HubClient({ baseUrl: `${s.server.url}/team/hub/`, apiKey: TEST_KEY, userAgent: 'deploy-bot/2.1' });
  await hub.notes.create({ content: 'x' });
  expect(s.server.requests[0]?.path).toBe('/team/hub/api/public/v1/notes');
  expect(s.server.requests[0]?.headers.get('user-agent')).toMatch(/^deploy-bot\/2\.1 hub-client\//);
});
