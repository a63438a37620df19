import { describe, expect, test } from 'bun:test';
import { blockKey, countStatus, hubWithKey, sendMessage, sendMessages } from '@hub/testkit/in-process/public-caller';

describe('the rate limit of a key', () => {
  test('lets exactly 60 of 200 concurrent requests through and stores their items', async () => {
    await using t = await hubWithKey();
    const statuses = await sendMessages(t.hub, t.key, 200);
    expect([countStatus(statuses, 201), countStatus(statuses, 403)]).toEqual([60, 140]);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ postCount: 60, requestCount: 200, state: 'blocked' });
  });

  test('blocks only the last request if 40 arrive at second 59 and 21 at second 61', async () => {
    await using t = await hubWithKey();
    t.hub.clock.advance(59_000);
    expect(countStatus(await sendMessages(t.hub, t.key, 40), 201)).toBe(40);
    t.hub.clock.advance(2_000);
    expect(countStatus(await sendMessages(t.hub, t.key, 20), 201)).toBe(20);
    expect((await sendMessage(t.hub, t.key)).status).toBe(403);
  });

  test('counts a request for 59,999 ms, but not at 60,000 ms', async () => {
    await using t = await hubWithKey();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId });
    await sendMessages(t.hub, t.key, 60);
    await sendMessages(t.hub, other.key, 60);
    t.hub.clock.advance(59_999);
    expect((await sendMessage(t.hub, t.key)).status).toBe(403);
    t.hub.clock.advance(1);
    expect((await sendMessage(t.hub, other.key)).status).toBe(201);
  });

  test('returns 403 with Retry-After 300 for the 61st request, and says what to do', async () => {
    await using t = await hubWithKey();
    await sendMessages(t.hub, t.key, 60);
    const response = await sendMessage(t.hub, t.key);
    expect(response.status).toBe(403);
    expect(response.headers.get('retry-after')).toBe('300');
    expect(response.headers.get('ratelimit')).toBe('"default";r=0;t=300');
    expect(((await response.json()) as { message: string }).message).toContain('Wait until then');
  });

  test('ends a block after exactly 300,000 ms and rounds Retry-After up', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    const retryAfter = async () => (await sendMessage(t.hub, t.key)).headers.get('retry-after');
    t.hub.clock.advance(1);
    expect(await retryAfter()).toBe('300');
    t.hub.clock.advance(999);
    expect(await retryAfter()).toBe('299');
    t.hub.clock.advance(298_999);
    expect(await retryAfter()).toBe('1');
    t.hub.clock.advance(1);
    expect((await sendMessage(t.hub, t.key)).status).toBe(201);
  });

  test('neither extends a block nor counts requests during it; the window is empty afterwards', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    for (let n = 0; n < 10; n += 1) {
      t.hub.clock.advance(30_000 - 1);
      expect(countStatus(await sendMessages(t.hub, t.key, 10), 403)).toBe(10);
    }
    t.hub.clock.advance(10);
    expect(countStatus(await sendMessages(t.hub, t.key, 60), 201)).toBe(60);
  });

  test('shows a block and its end while it lasts', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    t.hub.clock.advance(1_000);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({
      state: 'blocked',
      blockedUntil: '2026-03-01T09:35:00.000Z',
    });
    expect((await t.hub.admin.listKeys('?state=blocked')).items.map(({ id }) => id)).toEqual([t.id]);
    t.hub.clock.advance(299_000);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
  });

  test('is separate for each key of a Hub', async () => {
    await using t = await hubWithKey();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId });
    await blockKey(t.hub, t.key);
    expect((await sendMessage(t.hub, other.key)).status).toBe(201);
  });

  test('counts every authenticated request, whatever its response', async () => {
    await using t = await hubWithKey();
    const deleted = await t.hub.admin.createHub('Deleted');
    const orphan = await t.hub.admin.issueKey({ hubId: deleted.id });
    await t.hub.admin.deleteHub(deleted.id);
    const json = { 'content-type': 'application/json' };
    const request = (key: string, path: string, init: RequestInit) =>
      t.hub.fetch(`/api/public/v1${path}`, {
        method: 'POST',
        ...init,
        headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
      });
    const cases: [number, (key: string) => Promise<Response>, string?][] = [
      [201, (key) => request(key, '/messages', { headers: json, body: '{"text":"x"}' })],
      [403, (key) => request(key, '/notes', { headers: json, body: '{"content":"x"}' })],
      [404, (key) => request(key, '/nothing', {})],
      [404, (key) => request(key, '', {})],
      [404, (key) => request(key, '/messages', { headers: json, body: '{"text":"x"}' }), orphan.key],
      [405, (key) => request(key, '/messages', { method: 'GET' })],
      [405, (key) => request(key, '/messages', { method: 'DELETE' })],
      [413, (key) => request(key, '/messages', { headers: json, body: 'x'.repeat(1_048_577) })],
      [415, (key) => request(key, '/messages', { headers: { 'content-type': 'text/plain' }, body: 'x' })],
      [400, (key) => request(key, '/messages', { headers: json, body: '{' })],
      [400, (key) => request(key, '/messages', { headers: json, body: '{"txt":"x"}' })],
    ];
    const left = new Map<string, number>();
    for (const [status, act, key = t.key] of cases) {
      const response = await act(key);
      const expected = (left.get(key) ?? 60) - 1;
      left.set(key, expected);
      expect([response.status, response.headers.get('ratelimit')]).toEqual([status, `"default";r=${expected};t=60`]);
    }
  });

  test('does not count requests that fail to authenticate against any key', async () => {
    await using t = await hubWithKey();
    await t.hub.admin.revokeKey(t.id);
    const response = await sendMessage(t.hub, t.key);
    expect([response.status, response.headers.get('ratelimit')]).toEqual([401, null]);
    expect(await t.hub.deps.limiter.admit(t.id)).toMatchObject({ left: 59 });
  });
});
