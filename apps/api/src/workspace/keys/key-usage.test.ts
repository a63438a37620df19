import { describe, expect, test } from 'bun:test';
import type { KeyAddresses, KeyDay } from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { restartHub, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '../../../test/store/writes.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { flushKeys } from '../../programs/flush-keys.ts';
import { KEYS_PER_SAVE } from '../../storage/key-usage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

async function setUp() {
  const hub = await startTestHub();
  const { hubId, keyId: id, post } = await publicCaller(hub);
  const send = (text: unknown = 'x') => post('messages', { text });
  const sendFrom = (address: string) => {
    hub.setClientAddress(address);
    return send();
  };
  return { hub, hubId, id, send, sendFrom, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe('key usage', () => {
  test('is shown immediately, and survives a restart, and a kill once saved', async () => {
    await using t = await setUp();
    await t.send(7);
    t.hub.clock.advance(1_000);
    await t.sendFrom('198.51.100.7');
    const use = {
      lastUsedAt: '2026-03-01T09:30:01.000Z',
      lastUsedAddress: '198.51.100.7',
      requestCount: 2,
      postCount: 1,
    };
    expect(await t.hub.admin.showKey(t.id)).toMatchObject(use);
    await flushKeys(t.hub.deps);
    await using killed = await startAfterKill(t.hub);
    expect(await killed.admin.showKey(t.id)).toMatchObject(use);
    await t.send();
    await using again = await restartHub(t.hub);
    expect(await again.admin.showKey(t.id)).toMatchObject({ ...use, requestCount: 3, postCount: 2 });
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
    const use = { requestCount: 2, postCount: 2, lastUsedAt: '2026-03-01T09:30:01.000Z' };
    expect(await killed.admin.showKey(t.id)).toMatchObject(use);
  });

  test('of many keys is saved a few keys at a time, and what is saved stays saved when a later part fails', async () => {
    await using t = await setUp();
    const { store, usage } = t.hub.deps;
    const keyIds = (await t.hub.admin.issueKeys([t.hubId], KEYS_PER_SAVE + 1)).map(({ id }) => id).toSorted();
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

  test('by day counts requests, posts and blocks of the last 1 to 90 UTC days, also of those without use', async () => {
    await using t = await setUp();
    const { admin, clock, deps } = t.hub;
    const daysOf = async (query = '') =>
      ((await (await admin.raw('GET', `/keys/${t.id}/usage${query}`)).json()) as { items: KeyDay[] }).items;
    await t.send();
    await t.send(7);
    await flushKeys(deps);
    await t.send();
    clock.advance(DAY_MS);
    await flushKeys(deps);
    for (let n = 0; n < 61; n += 1) await t.send();
    const days = await daysOf();
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ day: '2026-02-01', requests: 0, posts: 0, blocks: 0 });
    expect(new Set(days.map(({ day }) => day)).size).toBe(30);
    const last = [
      { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
      { day: '2026-03-01', requests: 3, posts: 2, blocks: 0 },
      { day: '2026-03-02', requests: 61, posts: 60, blocks: 1 },
    ];
    expect([days.slice(-3), await daysOf('?days=3')]).toEqual([last, last]);
    expect((await admin.listKeys('?usageDays=3')).items[0]?.usage?.map(({ blocks }) => blocks)).toEqual([0, 0, 1]);
    expect(await daysOf('?days=90')).toHaveLength(90);
    for (const query of ['days=0', 'days=91', 'days=x', 'days=', 'days=1&days=2', 'limit=3']) {
      expect([query, (await admin.raw('GET', `/keys/${t.id}/usage?${query}`)).status]).toEqual([query, 400]);
    }
    for (const wrong of ['0', '91', 'x']) {
      expect((await admin.raw('GET', `/keys?usageDays=${wrong}`)).status).toBe(400);
    }
    expect((await admin.raw('GET', '/keys/key_unknown/usage')).status).toBe(404);
  });
});

test('the last twenty addresses of a key are shown immediately, latest first, and survive a kill once saved', async () => {
  await using t = await setUp();
  const addresses = async ({ admin }: Pick<TestHub, 'admin'> = t.hub): Promise<[string, number][]> => {
    const response = await admin.raw('GET', `/keys/${t.id}/addresses`);
    return ((await response.json()) as KeyAddresses).items.map(({ address, requests }) => [address, requests]);
  };
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await t.sendFrom(address);
  const expected: [string, number][] = [
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
  ];
  expect(await addresses()).toEqual(expected);
  await flushKeys(t.hub.deps);
  expect(await addresses()).toEqual(expected);
  t.hub.clock.advance(1_000);
  await t.sendFrom('192.0.2.2');
  await flushKeys(t.hub.deps);
  await using killed = await startAfterKill(t.hub);
  expect(await addresses(killed)).toEqual([
    ['192.0.2.2', 2],
    ['192.0.2.1', 2],
  ]);
  for (let n = 10; n < 35; n += 1) {
    t.hub.clock.advance(2_000);
    await t.sendFrom(`192.0.2.${n}`);
    if (n % 4 === 0) await flushKeys(t.hub.deps);
  }
  await flushKeys(t.hub.deps);
  const visible = await addresses();
  expect([visible.length, visible[0], visible.at(-1)]).toEqual([20, ['192.0.2.34', 1], ['192.0.2.15', 1]]);
});
