import { describe, expect, test } from 'bun:test';
import { failureOf, isPending } from '@hub/testkit/client/outcome';
import { TEST_KEY } from '@hub/testkit/client/test-key';
import { timedClient } from '@hub/testkit/client/timed-client';
import { created, errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { HubBlockedError, type HubClientOptions, type HubResponse } from './index.ts';

/** Disables the timeout, so that the only timers are those of waiting calls. */
function start(options: Partial<HubClientOptions> = {}) {
  const server = startScriptedServer();
  const base = { baseUrl: server.url, apiKey: TEST_KEY, timeoutMs: Number.POSITIVE_INFINITY };
  return { server, ...timedClient({ ...base, ...options }), [Symbol.asyncDispose]: () => server.stop() };
}

const blockedOnce = (seconds: number) => (_: unknown, number: number) =>
  number === 1 ? errorResponse(403, undefined, { 'retry-after': String(seconds) }) : created();

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
    expect((await posted).id).toBe('msg_1');
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
    expect((await posts[60])?.id).toBe('msg_1');
    expect(s.server.requests.at(-1)?.body).toBe('{"text":"60"}');
  });
});
