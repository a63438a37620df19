import { describe, expect, test } from 'bun:test';
import type { KeyAddresses, KeyDay } from '@hub/contract';
import { post, restartHub, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '@hub/testkit/storage/store-writes';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';
import { KEYS_PER_SAVE } from '../../storage/key-usage.ts';

async function setUp() {
  const hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
  const use = async () => {
    const { lastUsedAt, lastUsedAddress, requestCount, postCount } = await hub.admin.showKey(id);
    return { lastUsedAt, lastUsedAddress, requestCount, postCount };
  };
  const send = (text: unknown = 'x') => post(hub, 'messages', key, { text });
  return { hub, hubId, key, id, use, send, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('key usage', () => {
  test('is shown immediately: when and from where the key was last used, its requests and its posts', async () => {
    await using t = await setUp();
    await t.send();
    t.hub.clock.advance(1_000);
    t.hub.setClientAddress('198.51.100.7');
    await t.send();
    expect(await t.use()).toEqual({
      lastUsedAt: '2026-03-01T09:30:01.000Z',
      lastUsedAddress: '198.51.100.7',
      requestCount: 2,
      postCount: 2,
    });
  });

  test('survives a restart, and a kill once saved', async () => {
    await using t = await setUp();
    await t.send();
    await t.send(7);
    const before = await t.use();
    await flushKeys(t.hub.deps);
    await using killed = await startAfterKill(t.hub);
    expect(await killed.admin.showKey(t.id)).toMatchObject(before);
    await t.send();
    await using again = await restartHub(t.hub);
    expect(await again.admin.showKey(t.id)).toMatchObject({ requestCount: 3, postCount: 2 });
  });

  test('is kept when the store fails, and saved later', async () => {
    await using t = await setUp();
    const full = () => new StoreUnavailable(new Error('disk full'));
    const restore = failInTransactions(t.hub.deps.store, 'keys', 'addUsage', full);
    await t.send();
    await expect(flushKeys(t.hub.deps)).rejects.toBeInstanceOf(StoreUnavailable);
    t.hub.clock.advance(1_000);
    await t.send();
    restore();
    await flushKeys(t.hub.deps);
    await using killed = await startAfterKill(t.hub);
    expect(await killed.admin.showKey(t.id)).toMatchObject({
      requestCount: 2,
      postCount: 2,
      lastUsedAt: '2026-03-01T09:30:01.000Z',
    });
  });

  test('of many keys is saved a few keys at a time, and what is saved stays saved when a later part fails', async () => {
    await using t = await setUp();
    const { store, usage } = t.hub.deps;
    const keyIds = [t.id];
    while (keyIds.length < KEYS_PER_SAVE + 1) {
      keyIds.push((await t.hub.admin.issueKey({ hubId: t.hubId, scopes: ['messages:create'] })).id);
    }
    for (const id of keyIds) usage.record(id, '192.0.2.1');
    const { transaction } = store;
    let transactions = 0;
    store.transaction = (work) => {
      transactions += 1;
      return transactions === 1 ? transaction(work) : Promise.reject(new StoreUnavailable(new Error('disk full')));
    };
    await expect(usage.flush(store)).rejects.toBeInstanceOf(StoreUnavailable);
    store.transaction = transaction;
    const requests = async (id: string) => (await store.keys.find(id))?.requestCount;
    expect(await Promise.all(keyIds.map(requests))).toEqual([...Array(KEYS_PER_SAVE).fill(1), 0]);
    await usage.flush(store);
    expect(await Promise.all(keyIds.map(requests))).toEqual(Array(KEYS_PER_SAVE + 1).fill(1));
  });
});

describe('days', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  async function setUp() {
    const hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { key, id } = await hub.admin.issueKey({ hubId, scopes: ['messages:create'] });
    const send = (text: unknown = 'x') => post(hub, 'messages', key, { text });
    return { hub, hubId, key, id, send, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
  }

  const daysOf = async (hub: TestHub, id: string, query = '') =>
    ((await (await hub.admin.raw('GET', `/keys/${id}/usage${query}`)).json()) as { items: KeyDay[] }).items;

  describe('key usage by day', () => {
    test('is shown for the last 30 days, oldest first, including days without use', async () => {
      await using t = await setUp();
      const days = await daysOf(t.hub, t.id);
      expect(days).toHaveLength(30);
      expect(days[0]).toEqual({ day: '2026-01-31', requests: 0, posts: 0, blocks: 0 });
      expect(days.at(-1)).toEqual({ day: '2026-03-01', requests: 0, posts: 0, blocks: 0 });
      expect(new Set(days.map(({ day }) => day)).size).toBe(30);
    });

    test('counts requests and posts separately for each UTC day, and shows them immediately', async () => {
      await using t = await setUp();
      await t.send();
      await t.send(7);
      await flushKeys(t.hub.deps);
      await t.send();
      t.hub.clock.advance(DAY_MS);
      await flushKeys(t.hub.deps);
      await t.send();
      await t.send();
      expect(await daysOf(t.hub, t.id, '?days=3')).toEqual([
        { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
        { day: '2026-03-01', requests: 3, posts: 2, blocks: 0 },
        { day: '2026-03-02', requests: 2, posts: 2, blocks: 0 },
      ]);
    });

    test('covers 1 to 90 days', async () => {
      await using t = await setUp();
      expect(await daysOf(t.hub, t.id, '?days=90')).toHaveLength(90);
      for (const query of ['?days=0', '?days=91', '?days=x', '?days=', '?days=1&days=2', '?limit=3']) {
        expect((await t.hub.admin.raw('GET', `/keys/${t.id}/usage${query}`)).status).toBe(400);
      }
      for (const days of ['0', '91', 'x']) {
        expect((await t.hub.admin.raw('GET', `/keys?usageDays=${days}`)).status).toBe(400);
      }
      expect((await t.hub.admin.raw('GET', '/keys/key_unknown/usage')).status).toBe(404);
    });
  });
});

describe('addresses', () => {
  async function setUp() {
    const hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const { key, id } = await hub.admin.issueKey({ hubId });
    const sendFrom = async (address: string, kind: 'messages' | 'notes' = 'messages') => {
      hub.setClientAddress(address);
      await post(hub, kind, key, kind === 'notes' ? { content: 'x' } : { text: 'x' });
    };
    return { hub, hubId, key, id, sendFrom, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
  }

  async function addresses(hub: Pick<TestHub, 'admin'>, id: string): Promise<[string, number][]> {
    const response = await hub.admin.raw('GET', `/keys/${id}/addresses`);
    expect(response.status).toBe(200);
    return ((await response.json()) as KeyAddresses).items.map(({ address, requests }) => [address, requests]);
  }

  describe('the addresses of a key', () => {
    test('are shown immediately, latest first, and survive a kill once saved', async () => {
      await using t = await setUp();
      for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await t.sendFrom(address);
      const expected: [string, number][] = [
        ['192.0.2.1', 2],
        ['192.0.2.2', 1],
      ];
      expect(await addresses(t.hub, t.id)).toEqual(expected);
      await flushKeys(t.hub.deps);
      expect(await addresses(t.hub, t.id)).toEqual(expected);
      t.hub.clock.advance(1_000);
      await t.sendFrom('192.0.2.2');
      await flushKeys(t.hub.deps);
      await using killed = await startAfterKill(t.hub);
      expect(await addresses(killed, t.id)).toEqual([
        ['192.0.2.2', 2],
        ['192.0.2.1', 2],
      ]);
    });

    test('are limited to the last twenty', async () => {
      await using t = await setUp();
      for (let n = 0; n < 25; n += 1) {
        t.hub.clock.advance(2_000);
        await t.sendFrom(`192.0.2.${n}`);
        if (n % 4 === 0) await flushKeys(t.hub.deps);
      }
      await flushKeys(t.hub.deps);
      const shown = await addresses(t.hub, t.id);
      expect(shown).toHaveLength(20);
      expect(shown.at(0)).toEqual(['192.0.2.24', 1]);
      expect(shown.at(-1)).toEqual(['192.0.2.5', 1]);
    });
  });

  describe('a key', () => {
    test('shows on which days it was blocked', async () => {
      await using t = await setUp();
      for (let n = 0; n < 61; n += 1) await t.sendFrom('192.0.2.1');
      const page = await t.hub.admin.listKeys('?usageDays=2');
      expect(page.items[0]?.usage?.map(({ blocks }) => blocks)).toEqual([0, 1]);
    });
  });
});
