import { describe, expect, test } from 'bun:test';
import { type PublicRequest, publicCaller } from '@hub/testkit/in-process/public-caller';
import { onlyOnSqlite, post, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '../../../test/store/writes.ts';
import { StoreUnavailable } from '../../platform/errors.ts';

/** Starts a server with a key that may only create messages. */
async function hubWithKey() {
  const hub = await startTestHub();
  const { keyId: id, ...caller } = await publicCaller(hub, { scopes: ['messages:create'] });
  return { hub, id, ...caller, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const sendMessage = (hub: TestHub, key: string) => post(hub, 'messages', key, { text: 'x' });
/** Sends all messages at the same time. Returns the statuses of the responses. */
const sendMessages = (hub: TestHub, key: string, count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await sendMessage(hub, key)).status));
const countStatus = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

/** Sends messages until the key is blocked. */
async function blockKey(hub: TestHub, key: string): Promise<void> {
  expect(countStatus(await sendMessages(hub, key, 61), 403)).toBe(1);
}

test('the rate limit of a key lets exactly 60 of many concurrent requests through, returns 403 with Retry-After to the others, and shows the block and its end; other keys are not affected', async () => {
  await using t = await hubWithKey();
  const other = await t.hub.admin.issueKey({ hubId: t.hubId });
  const statuses = await sendMessages(t.hub, t.key, 199);
  expect([countStatus(statuses, 201), countStatus(statuses, 403)]).toEqual([60, 139]);
  const response = await sendMessage(t.hub, t.key);
  expect([response.status, await response.json()]).toMatchObject([403, { message: expect.stringContaining('Wait') }]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'retry-after': '300',
    ratelimit: '"default";r=0;t=300',
  });
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

test('the rate limit of a key counts every authenticated request, whatever its response', async () => {
  await using t = await hubWithKey();
  const body = { text: 'x' };
  let left = 60;
  const expectCounted = async (status: number, path: string, sent: PublicRequest) => {
    const { status: actual, headers } = await t.request(`/api/public/v1${path}`, sent);
    left -= 1;
    expect([actual, headers.get('ratelimit')]).toEqual([status, `"default";r=${left};t=60`]);
  };
  await expectCounted(201, '/messages', { body });
  await expectCounted(403, '/notes', { body });
  await expectCounted(404, '/nothing', {});
  await expectCounted(405, '/messages', { method: 'GET' });
  await expectCounted(413, '/messages', { body: Buffer.alloc(1_048_577) });
  await expectCounted(415, '/messages', { body, contentType: 'text/plain' });
  await expectCounted(400, '/messages', { body: Buffer.from('{') });
  await expectCounted(400, '/messages', { body: { txt: 'x' } });
  await t.hub.admin.deleteHub(t.hubId);
  await expectCounted(404, '/messages', { body });
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

  onlyInMemory.test('ends at the same millisecond, whatever the clock is set to before a restart or kill', async () => {
    for (const jumpMs of [-HOUR_MS, HOUR_MS]) {
      await expectLeft({ runMs: 100_000, jumpMs, secondsLeft: 200 });
      await expectLeft({ isKilled: true, runMs: 4_000, jumpMs, secondsLeft: 296 });
    }
    await expectLeft({ downMs: 200_000, jumpWhileDownMs: -HOUR_MS, secondsLeft: 100 });
    await expectLeft({ runMs: 100_000, jumpWhileDownMs: -HOUR_MS, lose: 'reboot', secondsLeft: 200 });
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
    const first = sendMessage(t.hub, t.key);
    // In the meantime, two later requests get their responses without waiting for the disk.
    while (t.hub.deps.limiter.blocks().length === 0) await new Promise(setImmediate);
    expect(await sendMessages(t.hub, t.key, 2)).toEqual([403, 403]);
    expect(await Promise.race([first, 'no response'])).toBe('no response');
    release.resolve();
    expect((await first).status).toBe(403);
  });

  onlyInMemory.test('is never longer than 300 s, however often the clock is set back before a kill', async () => {
    await using hubs = new AsyncDisposableStack();
    const t = hubs.use(await hubWithKey());
    const { clock } = t.hub;
    await blockKey(t.hub, t.key);
    let hub: TestHub = t.hub;
    for (let n = 0; n < 2; n += 1) {
      clock.advance(100_000);
      await hub.flushKeys();
      clock.setWall(clock.now() - HOUR_MS);
      hub = hubs.use(await startAfterKill(hub));
    }
    clock.advance(99_999);
    expect((await sendMessage(hub, t.key)).headers.get('retry-after')).toBe('1');
    clock.advance(1);
    expect((await sendMessage(hub, t.key)).status).toBe(201);
  });

  onlyInMemory.test('does not come back after its end, whether or not the end was saved before a kill', async () => {
    for (const isSaved of [false, true]) {
      await using t = await hubWithKey();
      await blockKey(t.hub, t.key);
      t.hub.clock.advance(300_000);
      if (isSaved) {
        await t.hub.flushKeys();
        // Otherwise, each later flush would write it.
        expect(t.hub.deps.limiter.blocks()).toEqual([]);
        t.hub.clock.setWall(t.hub.clock.now() - HOUR_MS);
      }
      await using again = await startAfterKill(t.hub);
      expect(await again.admin.showKey(t.id)).toMatchObject({ state: 'active', blockedUntil: null });
      await again.flushKeys();
      expect(await again.deps.store.keys.listBlocked()).toEqual([]);
    }
  });

  test('stays in effect when the disk fails, and is saved later with its audit entry', async () => {
    await using t = await hubWithKey();
    const restore = failInTransactions(t.hub.deps.store, 'keys', 'saveBlock');
    await blockKey(t.hub, t.key);
    expect((await sendMessage(t.hub, t.key)).status).toBe(403);
    expect(t.hub.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    await expect(t.hub.flushKeys()).rejects.toBeInstanceOf(StoreUnavailable);

    restore();
    t.hub.clock.advance(1_000);
    await t.hub.flushKeys();
    await t.hub.flushKeys();
    expect((await t.hub.admin.audit('?action=key.blocked')).items).toHaveLength(1);
    await using again = await startAfterKill(t.hub);
    expect((await sendMessage(again, t.key)).headers.get('retry-after')).toBe('299');
  });
});
