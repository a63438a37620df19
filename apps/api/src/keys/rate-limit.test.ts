import { describe, expect, test } from 'bun:test';
import { StoreUnavailable } from '../errors.ts';
import { restartHub, startAfterKill } from '../testing/restart-hub.ts';
import { post, startTestHub, type TestHub } from '../testing/start-test-hub.ts';
import { writeDownKeys } from './write-down-keys.ts';

const HOUR_MS = 3_600_000;

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  return { hub, ...issued, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const send = (hub: TestHub, key: string) => post(hub, 'messages', key, { text: 'x' });
async function sendMany(hub: TestHub, key: string, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await send(hub, key)).status));
}
const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
async function block(hub: TestHub, key: string): Promise<void> {
  expect(count(await sendMany(hub, key, 61), 403)).toBe(1);
}

describe('the limit of a key', () => {
  test('200 requests at once let exactly 60 through, and the items are there', async () => {
    await using t = await setUp();
    const statuses = await sendMany(t.hub, t.key, 200);
    expect([count(statuses, 201), count(statuses, 403)]).toEqual([60, 140]);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ postCount: 60, requestCount: 200, state: 'blocked' });
  });

  test('40 requests at second 59 and 21 at second 61: the last is refused', async () => {
    await using t = await setUp();
    t.hub.clock.advance(59_000);
    expect(count(await sendMany(t.hub, t.key, 40), 201)).toBe(40);
    t.hub.clock.advance(2_000);
    expect(count(await sendMany(t.hub, t.key, 20), 201)).toBe(20);
    expect((await send(t.hub, t.key)).status).toBe(403);
  });

  test('a request counts until 59,999 ms after it, and not at 60,000 ms', async () => {
    await using t = await setUp();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId });
    await sendMany(t.hub, t.key, 60);
    await sendMany(t.hub, other.key, 60);
    t.hub.clock.advance(59_999);
    expect((await send(t.hub, t.key)).status).toBe(403);
    t.hub.clock.advance(1);
    expect((await send(t.hub, other.key)).status).toBe(201);
  });

  test('the 61st is 403 with Retry-After 300, and says what to do', async () => {
    await using t = await setUp();
    await sendMany(t.hub, t.key, 60);
    const response = await send(t.hub, t.key);
    expect(response.status).toBe(403);
    expect(response.headers.get('retry-after')).toBe('300');
    expect(response.headers.get('ratelimit')).toBe('"default";r=0;t=300');
    expect(((await response.json()) as { message: string }).message).toContain('Waiting is enough');
  });

  test('a block ends after 300,000 ms exactly, and Retry-After is rounded up', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    const retryAfter = async () => (await send(t.hub, t.key)).headers.get('retry-after');
    t.hub.clock.advance(1);
    expect(await retryAfter()).toBe('300');
    t.hub.clock.advance(999);
    expect(await retryAfter()).toBe('299');
    t.hub.clock.advance(298_999);
    expect(await retryAfter()).toBe('1');
    t.hub.clock.advance(1);
    expect((await send(t.hub, t.key)).status).toBe(201);
  });

  test('requests during a block neither extend it nor count: afterwards the window is empty', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    for (let n = 0; n < 10; n += 1) {
      t.hub.clock.advance(30_000 - 1);
      expect(count(await sendMany(t.hub, t.key, 10), 403)).toBe(10);
    }
    t.hub.clock.advance(10);
    expect(count(await sendMany(t.hub, t.key, 60), 201)).toBe(60);
  });

  test('a block is shown while it lasts, with its end', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    t.hub.clock.advance(1_000);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({
      state: 'blocked',
      blockedUntil: '2026-03-01T09:35:00.000Z',
    });
    expect((await t.hub.admin.listKeys('?state=blocked')).items.map(({ id }) => id)).toEqual([t.id]);
    t.hub.clock.advance(299_000);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
  });

  test('keys of one Hub do not share it', async () => {
    await using t = await setUp();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId });
    await block(t.hub, t.key);
    expect((await send(t.hub, other.key)).status).toBe(201);
  });

  test('every request that authenticates counts, whatever becomes of it', async () => {
    await using t = await setUp();
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

  test('what does not authenticate counts for nobody', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    const response = await send(t.hub, t.key);
    expect([response.status, response.headers.get('ratelimit')]).toEqual([401, null]);
    expect(t.hub.deps.limiter.size).toBe(0);
  });
});

describe('a block on disk', () => {
  test('survives a restart with the time that is left, and ends at the same millisecond', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    t.hub.clock.advance(100_000);
    await using again = await restartHub(t.hub);
    expect((await send(again, t.key)).headers.get('retry-after')).toBe('200');
    again.clock.advance(199_999);
    expect((await send(again, t.key)).status).toBe(403);
    again.clock.advance(1);
    expect(count(await sendMany(again, t.key, 60), 201)).toBe(60);
  });

  test('is there before its first refusal is answered', async () => {
    await using t = await setUp();
    const { keys } = t.hub.deps.store;
    const { block: writeBlock } = keys;
    const release = Promise.withResolvers<void>();
    keys.block = async (change) => {
      await release.promise;
      return writeBlock(change);
    };
    await sendMany(t.hub, t.key, 60);
    let isAnswered = false;
    const first = send(t.hub, t.key).then(() => {
      isAnswered = true;
    });
    // Two that came later are answered meanwhile: they do not wait for the disk.
    while (t.hub.deps.limiter.blockRemainingMs(t.id) === 0) await new Promise(setImmediate);
    expect(await sendMany(t.hub, t.key, 2)).toEqual([403, 403]);
    expect(isAnswered).toBe(false);
    release.resolve();
    await first;
  });

  test('survives a kill from the moment in which its first refusal was answered', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    await using again = await startAfterKill(t.hub);
    expect((await send(again, t.key)).headers.get('retry-after')).toBe('300');
  });

  test('goes on while the server is down', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    await t.hub.stop();
    t.hub.clock.advance(300_000);
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    expect((await send(again, t.key)).status).toBe(201);
  });

  test('is not changed by a clock that is set back or forward while the server runs', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    expect((await send(t.hub, t.key)).headers.get('retry-after')).toBe('300');
    t.hub.clock.setWall(t.hub.clock.now() + 10 * HOUR_MS);
    expect((await send(t.hub, t.key)).headers.get('retry-after')).toBe('300');
    t.hub.clock.advance(300_000);
    expect((await send(t.hub, t.key)).status).toBe(201);
  });

  test('keeps its exact end over a restart although the clock was set back or forward before it', async () => {
    for (const jump of [-HOUR_MS, -50_000, HOUR_MS]) {
      await using t = await setUp();
      await block(t.hub, t.key);
      t.hub.clock.advance(100_000);
      t.hub.clock.setWall(t.hub.clock.now() + jump);
      await using again = await restartHub(t.hub);
      again.clock.advance(199_999);
      expect((await send(again, t.key)).status).toBe(403);
      again.clock.advance(1);
      expect((await send(again, t.key)).status).toBe(201);
    }
  });

  test('is never longer than 300 s over restarts before each of which the clock is set back', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    let hub: TestHub = t.hub;
    for (let n = 0; n < 2; n += 1) {
      hub.clock.advance(100_000);
      await hub.stop();
      hub.clock.setWall(hub.clock.now() - HOUR_MS);
      hub = await startTestHub({ clock: hub.clock, dataDir: hub.dataDir });
    }
    hub.clock.advance(99_999);
    expect((await send(hub, t.key)).headers.get('retry-after')).toBe('1');
    hub.clock.advance(1);
    expect((await send(hub, t.key)).status).toBe(201);
    await hub.stop();
  });

  test('is never longer than 300 s after kills before each of which the clock is set back', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    await using second = await startAfterKill(t.hub);
    expect(second.deps.limiter.blockRemainingMs(t.id)).toBe(300_000);
    second.clock.advance(100_000);
    await writeDownKeys(second.deps);
    second.clock.setWall(second.clock.now() - HOUR_MS);
    await using third = await startAfterKill(second);
    expect(third.deps.limiter.blockRemainingMs(t.id)).toBe(200_000);
  });

  test('that has ended is not brought back by a clock that is set back', async () => {
    await using t = await setUp();
    await block(t.hub, t.key);
    t.hub.clock.advance(300_000);
    await writeDownKeys(t.hub.deps);
    expect(await t.hub.deps.store.keys.listBlocked(0)).toEqual([]);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    await using again = await startAfterKill(t.hub);
    expect((await send(again, t.key)).status).toBe(201);
  });

  test('that the disk did not take holds all the same, and is written down later with its audit entry', async () => {
    await using t = await setUp();
    const { keys } = t.hub.deps.store;
    const { block: writeBlock } = keys;
    keys.block = async () => {
      throw new StoreUnavailable(new Error('disk full'));
    };
    await block(t.hub, t.key);
    expect((await send(t.hub, t.key)).status).toBe(403);
    expect(t.hub.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    await expect(writeDownKeys(t.hub.deps)).rejects.toBeInstanceOf(StoreUnavailable);

    keys.block = writeBlock;
    t.hub.clock.advance(1_000);
    await writeDownKeys(t.hub.deps);
    await writeDownKeys(t.hub.deps);
    expect((await t.hub.admin.audit()).items.filter(({ action }) => action === 'key.blocked')).toHaveLength(1);
    await using again = await startAfterKill(t.hub);
    expect((await send(again, t.key)).headers.get('retry-after')).toBe('299');
  });
});
