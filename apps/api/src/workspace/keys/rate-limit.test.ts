import { describe, expect, test } from 'bun:test';
import { type PublicRequest, publicCaller } from '@hub/testkit/in-process/public-caller';
import { onlyOnSqlite, post, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '../../../test/store/writes.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';

/** Starts a server with a key that may only create messages. */
async function hubWithKey() {
  const hub = await startTestHub();
  const { keyId: id, ...caller } = await publicCaller(hub, { scopes: ['messages:create'] });
  return { hub, id, ...caller, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
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
  test('lets exactly 60 of many concurrent requests through, returns 403 with Retry-After to the others, and shows the block and its end; other keys are not affected', async () => {
    await using t = await hubWithKey();
    const other = await t.hub.admin.issueKey({ hubId: t.hubId });
    const statuses = await sendMessages(t.hub, t.key, 199);
    expect([countStatus(statuses, 201), countStatus(statuses, 403)]).toEqual([60, 139]);
    const response = await sendMessage(t.hub, t.key);
    const { headers } = response;
    expect([response.status, headers.get('retry-after'), headers.get('ratelimit')]).toEqual([
      ...[403, '300', '"default";r=0;t=300'],
    ]);
    expect(((await response.json()) as { message: string }).message).toContain('Wait until then');
    expect((await sendMessage(t.hub, other.key)).status).toBe(201);
    t.hub.clock.advance(1_000);
    const blocked = { id: t.id, state: 'blocked', blockedUntil: '2026-03-01T09:35:00.000Z' };
    expect((await t.hub.admin.listKeys('?state=blocked')).items).toMatchObject([blocked]);
    const entry = { targetId: t.id, targetName: 'ci', details: { until: blocked.blockedUntil } };
    expect((await t.hub.admin.audit('?action=key.blocked')).items).toMatchObject([entry]);
    t.hub.clock.advance(299_000);
    expect(await t.hub.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
    await blockKey(t.hub, t.key);
    expect((await t.hub.admin.audit('?action=key.blocked')).items).toHaveLength(2);
  });

  test('counts every authenticated request, whatever its response', async () => {
    await using t = await hubWithKey();
    const deleted = await t.hub.admin.createHub('Deleted');
    const orphan = await t.hub.admin.issueKey({ hubId: deleted.id });
    await t.hub.admin.deleteHub(deleted.id);
    const body = { text: 'x' };
    const cases: [status: number, path: string, sent: PublicRequest, key?: string][] = [
      [201, '/messages', { body }],
      [403, '/notes', { body }],
      [404, '/nothing', {}],
      [404, '', {}],
      [404, '/messages', { body }, orphan.key],
      [405, '/messages', { method: 'GET' }],
      [405, '/messages', { method: 'DELETE' }],
      [413, '/messages', { body: Buffer.alloc(1_048_577) }],
      [415, '/messages', { body, contentType: 'text/plain' }],
      [400, '/messages', { body: Buffer.from('{') }],
      [400, '/messages', { body: { txt: 'x' } }],
    ];
    const left = new Map<string, number>();
    for (const [status, path, sent, key = t.key] of cases) {
      const response = await t.request(`/api/public/v1${path}`, { ...sent, authorization: `Bearer ${key}` });
      const expected = (left.get(key) ?? 60) - 1;
      left.set(key, expected);
      expect([response.status, response.headers.get('ratelimit')]).toEqual([status, `"default";r=${expected};t=60`]);
    }
  });
});

/** The clock of the database has no other clock to compare with. */
const onlyInMemory = onlyOnSqlite('the limits of keys are in the database and go by its clock');
const HOUR_MS = 3_600_000;

describe('a block on disk', () => {
  interface Restart {
    isKilled?: boolean;
    /** How long the server ran after the block began, and by how much the wall clock was set before its end. */
    runMs?: number;
    jumpMs?: number;
    /** How long it was down, and by how much the clock was set in that time. */
    downMs?: number;
    jumpWhileDownMs?: number;
    lose?: 'reboot' | 'hideBoot';
    secondsLeft: number;
  }
  const expectLeft = async ({ isKilled = false, secondsLeft, lose, ...ms }: Restart): Promise<void> => {
    await using t = await hubWithKey();
    const { clock } = t.hub;
    await blockKey(t.hub, t.key);
    clock.advance(ms.runMs ?? 0);
    clock.setWall(clock.now() + (ms.jumpMs ?? 0));
    if (!isKilled) await t.hub.stop();
    clock.advance(ms.downMs ?? 0);
    clock.setWall(clock.now() + (ms.jumpWhileDownMs ?? 0));
    if (lose) clock[lose]();
    await using again = await (isKilled ? startAfterKill(t.hub) : startTestHub({ clock, dataDir: t.hub.dataDir }));
    if (secondsLeft > 0) {
      expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe(String(secondsLeft));
      clock.advance(secondsLeft * 1_000 - 1);
      expect((await sendMessage(again, t.key)).status).toBe(403);
      clock.advance(1);
    }
    expect(countStatus(await sendMessages(again, t.key, 60), 201)).toBe(60);
  };

  test.each<[what: string, Restart]>([
    ['a restart', { runMs: 100_000, secondsLeft: 200 }],
    ['a time when the server is down', { downMs: 300_000, secondsLeft: 0 }],
    ['a kill as soon as the first blocked request has its response', { isKilled: true, secondsLeft: 300 }],
    // The wall clock counts after a reboot, or when the uptime is unknown.
    ...(['reboot', 'hideBoot'] as const).flatMap((lose) =>
      [0, 100_000, -HOUR_MS].map((jumpMs): [string, Restart] => [
        `${lose} after the clock was set by ${jumpMs} ms`,
        { isKilled: true, runMs: 4_000, jumpMs, lose, secondsLeft: Math.min(300, 296 - jumpMs / 1_000) },
      ]),
    ),
  ])('ends at the same millisecond after %s', (_, restart) => expectLeft(restart));

  onlyInMemory.test(
    'ends at the same millisecond, whatever the clock is set to before a restart or a kill',
    async () => {
      for (const jumpMs of [-HOUR_MS, -50_000, HOUR_MS]) await expectLeft({ runMs: 100_000, jumpMs, secondsLeft: 200 });
      for (const jumpMs of [-HOUR_MS, 50_000, 10_000 * HOUR_MS]) {
        await expectLeft({ isKilled: true, runMs: 4_000, jumpMs, secondsLeft: 296 });
      }
      await expectLeft({ downMs: 200_000, jumpWhileDownMs: -HOUR_MS, secondsLeft: 100 });
      await expectLeft({ runMs: 100_000, jumpWhileDownMs: -HOUR_MS, lose: 'reboot', secondsLeft: 200 });
    },
  );

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
    'is never longer than 300 s, however often the clock is set back before a restart or a kill',
    async () => {
      for (const isKilled of [false, true]) {
        await using hubs = new AsyncDisposableStack();
        const t = hubs.use(await hubWithKey());
        const { clock } = t.hub;
        await blockKey(t.hub, t.key);
        let hub: TestHub = t.hub;
        for (let n = 0; n < 2; n += 1) {
          clock.advance(100_000);
          await flushKeys(hub.deps);
          if (!isKilled) await hub.stop();
          clock.setWall(clock.now() - HOUR_MS);
          hub = hubs.use(await (isKilled ? startAfterKill(hub) : startTestHub({ clock, dataDir: hub.dataDir })));
        }
        clock.advance(99_999);
        expect((await sendMessage(hub, t.key)).headers.get('retry-after')).toBe('1');
        clock.advance(1);
        expect((await sendMessage(hub, t.key)).status).toBe(201);
      }
    },
  );

  onlyInMemory.test('does not come back after its end, whether or not the end was saved before a kill', async () => {
    for (const isSaved of [false, true]) {
      await using t = await hubWithKey();
      await blockKey(t.hub, t.key);
      t.hub.clock.advance(300_000);
      if (isSaved) {
        await flushKeys(t.hub.deps);
        expect(await t.hub.deps.store.keys.listBlocked()).toEqual([]);
        // Otherwise, each later flush would write it.
        expect(t.hub.deps.limiter.blocks()).toEqual([]);
        t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
      }
      await using again = await startAfterKill(t.hub);
      expect(await again.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
      expect((await sendMessage(again, t.key)).status).toBe(201);
      await flushKeys(again.deps);
      expect(await again.deps.store.keys.listBlocked()).toEqual([]);
    }
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
