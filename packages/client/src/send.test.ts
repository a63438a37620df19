import { describe, expect, test } from 'bun:test';
import { HubBlockedError, type HubClientOptions, type HubResponse } from './index.ts';
import { failureOf, isPending } from './testing/outcome.ts';
import { created, errorResponse, startScriptedServer } from './testing/scripted-server.ts';
import { TEST_KEY } from './testing/test-key.ts';
import { timedClient } from './testing/timed-client.ts';

/** Disables the timeout, so that the only timers are those of waiting calls. */
function start(options: Partial<HubClientOptions> = {}) {
  const server = startScriptedServer();
  const base = { baseUrl: server.url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  return { server, ...timedClient({ ...base, ...options }), [Symbol.asyncDispose]: () => server.stop() };
}

const blockedOnce = (seconds: number) => (_: unknown, number: number) =>
  number === 1 ? errorResponse(403, { 'retry-after': String(seconds) }) : created();

describe('waitWhenBlocked', () => {
  test('waits for the end of the block and then posts', async () => {
    await using s = start({ waitWhenBlocked: true });
    s.server.respondWith(blockedOnce(300));
    const statuses: number[] = [];
    const posted = s.hub.messages.create(
      { text: 'x' },
      { onResponse: ({ statusCode }: HubResponse) => statuses.push(statusCode) },
    );
    await s.clock.armed();
    s.clock.advance(299_999);
    expect(await isPending(posted)).toBe(true);
    expect(s.server.requests).toHaveLength(1);
    s.clock.advance(1);
    expect((await posted).id).toBe('id_1');
    expect(statuses).toEqual([403, 201]);
    expect(s.server.requests[1]?.body).toBe(s.server.requests[0]?.body as string);
  });

  test('is off by default', async () => {
    await using s = start();
    s.server.respondWith(blockedOnce(300));
    const error = await failureOf(s.hub.messages.create({ text: 'x' }));
    expect(error).toBeInstanceOf(HubBlockedError);
    expect(s.server.requests).toHaveLength(1);
  });

  test('with a number does not wait for a longer block', async () => {
    await using s = start({ waitWhenBlocked: 299_000 });
    s.server.respondWith(blockedOnce(300));
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ retryAfterSeconds: 300 });
    expect(s.clock.timers).toBe(0);
  });

  test('does not wait after a 403 for a missing scope or from another server', async () => {
    await using s = start({ waitWhenBlocked: true });
    s.server.respondWith(() => errorResponse(403));
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ name: 'HubScopeError' });
    s.server.respondWith(() => new Response('no', { status: 403, headers: { 'retry-after': '1' } }));
    expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ name: 'HubApiError' });
    expect(s.server.requests).toHaveLength(2);
  });

  test('does not wait for the Retry-After of any other error', async () => {
    await using s = start({ waitWhenBlocked: true });
    for (const status of [429, 500, 503]) {
      s.server.respondWith(() => errorResponse(status, { 'retry-after': '1' }));
      expect(await failureOf(s.hub.messages.create({ text: 'x' }))).toMatchObject({ statusCode: status });
    }
    expect(s.server.requests).toHaveLength(3);
  });

  test('can be aborted while it waits', async () => {
    await using s = start({ waitWhenBlocked: true });
    s.server.respondWith(blockedOnce(300));
    const controller = new AbortController();
    const failure = failureOf(s.hub.messages.create({ text: 'x' }, { signal: controller.signal }));
    await s.clock.armed();
    controller.abort('enough');
    expect(await failure).toBe('enough');
    expect(s.clock.timers).toBe(0);
  });

  test('works without pacing', async () => {
    await using s = start({ waitWhenBlocked: true, pacing: false });
    s.server.respondWith(blockedOnce(1));
    const posted = s.hub.messages.create({ text: 'x' });
    await s.clock.armed();
    s.clock.advance(1_000);
    expect((await posted).id).toBe('id_1');
  });
});

describe('pacing', () => {
  test('delays the 61st post, without counting the wait toward the timeout', async () => {
    await using s = start({ timeoutMs: 1_000 });
    const posts = Array.from({ length: 61 }, (_, index) => s.hub.messages.create({ text: `${index}` }));
    await Promise.all(posts.slice(0, 60));
    expect(s.server.requests).toHaveLength(60);
    s.clock.advance(60_049);
    expect(await isPending(posts[60] as Promise<unknown>)).toBe(true);
    s.clock.advance(1);
    expect((await posts[60])?.id).toBe('id_1');
    expect(s.server.requests.at(-1)?.body).toBe('{"text":"60"}');
  });

  test('can be aborted while it waits, and then sends nothing', async () => {
    await using s = start();
    await Promise.all(Array.from({ length: 60 }, () => s.hub.notes.create({ content: 'x' })));
    const controller = new AbortController();
    const failure = failureOf(s.hub.notes.create({ content: 'late' }, { signal: controller.signal }));
    expect(s.clock.timers).toBe(1);
    controller.abort('enough');
    expect(await failure).toBe('enough');
    s.clock.advance(120_000);
    await s.hub.notes.create({ content: 'x' });
    expect(s.server.requests.map(({ body }) => body)).not.toContain('{"content":"late"}');
  });

  test('counts error responses, as the server does', async () => {
    await using s = start();
    s.server.respondWith(() => errorResponse(400));
    for (let index = 0; index < 60; index += 1) await failureOf(s.hub.notes.create({ content: 'x' }));
    expect(await isPending(s.hub.notes.create({ content: 'x' }))).toBe(true);
    expect(s.clock.timers).toBe(1);
  });

  test('is off with pacing: false', async () => {
    await using s = start({ pacing: false });
    await Promise.all(Array.from({ length: 100 }, () => s.hub.notes.create({ content: 'x' })));
    expect(s.server.requests).toHaveLength(100);
  });
});
