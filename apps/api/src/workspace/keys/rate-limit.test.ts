import { describe, expect, test } from 'bun:test';
import {
  onlyOnSqlite,
  post,
  restartHub,
  startAfterKill,
  startTestHub,
  type TestHub,
} from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';

/** Starts a server with a key that may only create messages. */
async function hubWithKey() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const issued = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  return { hub, ...issued, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

function sendMessage(hub: TestHub, key: string): Promise<Response> {
  return post(hub, 'messages', key, { text: 'x' });
}

/** Sends all messages at the same time. Returns the statuses of the responses. */
async function sendMessages(hub: TestHub, key: string, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, async () => (await sendMessage(hub, key)).status));
}

function countStatus(statuses: number[], status: number): number {
  return statuses.filter((one) => one === status).length;
}

/** Sends messages until the key is blocked. */
async function blockKey(hub: TestHub, key: string): Promise<void> {
  expect(countStatus(await sendMessages(hub, key, 61), 403)).toBe(1);
}

describe('the rate limit of a key', () => {
  test('lets exactly 60 of 200 concurrent requests through and stores their items', async () => {
    await using t = await hubWithKey();
    const statuses = await sendMessages(t.hub, t.key, 200);
    expect([countStatus(statuses, 201), countStatus(statuses, 403)]).toEqual([60, 140]);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ postCount: 60, requestCount: 200, state: 'blocked' });
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

/** The clock of the database has no other clock to compare with. */
const onlyInMemory = onlyOnSqlite('the limits of keys are in the database and go by its clock');
const HOUR_MS = 3_600_000;

describe('a block on disk', () => {
  test('survives a restart with its remaining time and ends at the same millisecond', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    t.hub.clock.advance(100_000);
    await using again = await restartHub(t.hub);
    expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('200');
    again.clock.advance(199_999);
    expect((await sendMessage(again, t.key)).status).toBe(403);
    again.clock.advance(1);
    expect(countStatus(await sendMessages(again, t.key, 60), 201)).toBe(60);
  });

  onlyInMemory.test('is saved before the first blocked request gets its response', async () => {
    await using t = await hubWithKey();
    const { store } = t.hub.deps;
    const { transaction } = store;
    const release = Promise.withResolvers<void>();
    await sendMessages(t.hub, t.key, 60);
    store.transaction = async (work) => {
      await release.promise;
      return transaction(work);
    };
    let hasResponse = false;
    const first = sendMessage(t.hub, t.key).then(() => {
      hasResponse = true;
    });
    // In the meantime, two later requests get their responses without waiting for the disk.
    while (blockRemainingMs(t.hub, t.id) === 0) await new Promise(setImmediate);
    expect(await sendMessages(t.hub, t.key, 2)).toEqual([403, 403]);
    expect(hasResponse).toBe(false);
    release.resolve();
    await first;
  });

  test('survives a kill as soon as the first blocked request has its response', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    await using again = await startAfterKill(t.hub);
    expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('300');
  });

  test('keeps counting down while the server is down', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    await t.hub.stop();
    t.hub.clock.advance(300_000);
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    expect((await sendMessage(again, t.key)).status).toBe(201);
  });

  onlyInMemory.test('is not affected when the clock is set back or forward while the server runs', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    expect((await sendMessage(t.hub, t.key)).headers.get('retry-after')).toBe('300');
    t.hub.clock.setWall(t.hub.clock.now() + 10 * HOUR_MS);
    expect((await sendMessage(t.hub, t.key)).headers.get('retry-after')).toBe('300');
    t.hub.clock.advance(300_000);
    expect((await sendMessage(t.hub, t.key)).status).toBe(201);
  });

  onlyInMemory.test(
    'keeps its exact end across a restart even if the clock was set back or forward before',
    async () => {
      for (const jump of [-HOUR_MS, -50_000, HOUR_MS]) {
        await using t = await hubWithKey();
        await blockKey(t.hub, t.key);
        t.hub.clock.advance(100_000);
        t.hub.clock.setWall(t.hub.clock.now() + jump);
        await using again = await restartHub(t.hub);
        again.clock.advance(199_999);
        expect((await sendMessage(again, t.key)).status).toBe(403);
        again.clock.advance(1);
        expect((await sendMessage(again, t.key)).status).toBe(201);
      }
    },
  );

  onlyInMemory.test(
    'is never longer than 300 s across restarts, even if the clock is set back before each',
    async () => {
      await using t = await hubWithKey();
      await blockKey(t.hub, t.key);
      let hub: TestHub = t.hub;
      for (let n = 0; n < 2; n += 1) {
        hub.clock.advance(100_000);
        await hub.stop();
        hub.clock.setWall(hub.clock.now() - HOUR_MS);
        hub = await startTestHub({ clock: hub.clock, dataDir: hub.dataDir });
      }
      hub.clock.advance(99_999);
      expect((await sendMessage(hub, t.key)).headers.get('retry-after')).toBe('1');
      hub.clock.advance(1);
      expect((await sendMessage(hub, t.key)).status).toBe(201);
      await hub.stop();
    },
  );

  onlyInMemory.test(
    'never lasts longer than 300 s, even if the server is killed repeatedly and the clock is set back before each kill',
    async () => {
      await using t = await hubWithKey();
      await blockKey(t.hub, t.key);
      t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
      await using second = await startAfterKill(t.hub);
      expect(blockRemainingMs(second, t.id)).toBe(300_000);
      second.clock.advance(100_000);
      await flushKeys(second.deps);
      second.clock.setWall(second.clock.now() - HOUR_MS);
      await using third = await startAfterKill(second);
      expect(blockRemainingMs(third, t.id)).toBe(200_000);
    },
  );

  onlyInMemory.test('keeps its exact end after a kill, whatever the clock was set to just before', async () => {
    for (const jump of [-HOUR_MS, -50_000, 50_000, HOUR_MS, 10_000 * HOUR_MS]) {
      await using t = await hubWithKey();
      await blockKey(t.hub, t.key);
      t.hub.clock.advance(4_000);
      t.hub.clock.setWall(t.hub.clock.now() + jump);
      await using again = await startAfterKill(t.hub);
      expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('296');
      again.clock.advance(295_999);
      expect((await sendMessage(again, t.key)).status).toBe(403);
      again.clock.advance(1);
      expect((await sendMessage(again, t.key)).status).toBe(201);
    }
  });

  onlyInMemory.test('keeps counting down while the server is down, even if the clock is set back', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    await t.hub.stop();
    t.hub.clock.advance(200_000);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    await using again = await startTestHub({ clock: t.hub.clock, dataDir: t.hub.dataDir });
    expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('100');
  });

  test('goes by the wall clock after a reboot, or when the uptime is unknown', async () => {
    for (const lose of ['reboot', 'hideBoot'] as const) {
      for (const [jump, left] of [
        [0, '296'],
        [100_000, '196'],
        [-HOUR_MS, '300'],
      ] as const) {
        await using t = await hubWithKey();
        await blockKey(t.hub, t.key);
        t.hub.clock.advance(4_000);
        t.hub.clock.setWall(t.hub.clock.now() + jump);
        t.hub.clock[lose]();
        await using again = await startAfterKill(t.hub);
        expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe(left);
      }
    }
  });

  onlyInMemory.test('is not restored after a kill if it has ended, even if its end was not saved', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    t.hub.clock.advance(300_000);
    await using again = await startAfterKill(t.hub);
    expect(await again.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
    expect((await sendMessage(again, t.key)).status).toBe(201);
    await flushKeys(again.deps);
    expect(await again.deps.store.keys.listBlocked()).toEqual([]);
  });

  onlyInMemory.test('does not come back after its end when the clock is set back', async () => {
    await using t = await hubWithKey();
    await blockKey(t.hub, t.key);
    t.hub.clock.advance(300_000);
    await flushKeys(t.hub.deps);
    expect(await t.hub.deps.store.keys.listBlocked()).toEqual([]);
    // Otherwise, each later flush would write it.
    expect(t.hub.deps.limiter.blocks()).toEqual([]);
    t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
    await using again = await startAfterKill(t.hub);
    expect((await sendMessage(again, t.key)).status).toBe(201);
  });

  test('stays in effect when the disk fails, and is saved later with its audit entry', async () => {
    await using t = await hubWithKey();
    const full = () => new StoreUnavailable(new Error('disk full'));
    const restore = failInTransactions(t.hub.deps.store, 'keys', 'saveBlock', full);
    await blockKey(t.hub, t.key);
    expect((await sendMessage(t.hub, t.key)).status).toBe(403);
    expect(t.hub.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    await expect(flushKeys(t.hub.deps)).rejects.toBeInstanceOf(StoreUnavailable);

    restore();
    t.hub.clock.advance(1_000);
    await flushKeys(t.hub.deps);
    await flushKeys(t.hub.deps);
    expect((await t.hub.admin.audit()).items.filter(({ action }) => action === 'key.blocked')).toHaveLength(1);
    await using again = await startAfterKill(t.hub);
    expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('299');
  });
});

/** Returns how much of a key's block is left, in milliseconds. */
function blockRemainingMs({ deps }: Pick<TestHub, 'deps'>, id: string): number {
  const now = deps.clock.now();
  return (deps.limiter.blockedUntil({ id, blockedUntil: null }, now) ?? now) - now;
}
