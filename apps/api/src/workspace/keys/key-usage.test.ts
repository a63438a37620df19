import { expect, test } from 'bun:test';
import type { KeyDay } from '@hub/contract';
import { publicCaller } from '@hub/testkit/in-process/public-caller';
import { perTest } from '@hub/testkit/in-process/shared';
import { restartHub, startAfterKill, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { failInTransactions } from '../../../test/store/writes.ts';
import { StoreUnavailable } from '../../platform/errors.ts';
import { KEYS_PER_SAVE } from '../../storage/key-usage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const hub = perTest(startTestHub);
const caller = perTest(() => publicCaller(hub));
const send = (text: unknown = 'x') => caller.post('messages', { text });
const sendFrom = (address: string) => {
  hub.setClientAddress(address);
  return send();
};

test('key usage is shown immediately, and survives a restart, and a kill once saved', async () => {
  await send(7);
  hub.clock.advance(1_000);
  await sendFrom('198.51.100.7');
  const use = { lastUsedAt: '2026-03-01T09:30:01.000Z', lastUsedAddress: '198.51.100.7' };
  expect(await hub.admin.showKey(caller.keyId)).toMatchObject({ ...use, requestCount: 2, postCount: 1 });
  await hub.flushKeys();
  await using killed = await startAfterKill(hub);
  expect(await killed.admin.showKey(caller.keyId)).toMatchObject({ ...use, requestCount: 2, postCount: 1 });
  await send();
  await using again = await restartHub(hub);
  expect(await again.admin.showKey(caller.keyId)).toMatchObject({ ...use, requestCount: 3, postCount: 2 });
});

test('key usage is kept when the store fails, and saved later', async () => {
  const restore = failInTransactions(hub.deps.store, 'keys', 'addUsage');
  await send();
  await expect(hub.flushKeys()).rejects.toBeInstanceOf(StoreUnavailable);
  hub.clock.advance(1_000);
  await send();
  restore();
  await hub.flushKeys();
  await using killed = await startAfterKill(hub);
  const use = { requestCount: 2, postCount: 2, lastUsedAt: '2026-03-01T09:30:01.000Z' };
  expect(await killed.admin.showKey(caller.keyId)).toMatchObject(use);
});

test('key usage of many keys is saved a few keys at a time, and what is saved stays saved when a later part fails', async () => {
  const { store, usage } = hub.deps;
  const keyIds = (await hub.admin.issueKeys([caller.hubId], KEYS_PER_SAVE + 1)).map(({ id }) => id).toSorted();
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

test('key usage by day counts requests, posts and blocks of the last 1 to 90 UTC days, also of those without use', async () => {
  const { admin, clock } = hub;
  const daysOf = async (query = '') =>
    ((await (await admin.raw('GET', `/keys/${caller.keyId}/usage${query}`)).json()) as { items: KeyDay[] }).items;
  await send();
  await send(7);
  await hub.flushKeys();
  await send();
  clock.advance(DAY_MS);
  await hub.flushKeys();
  for (let n = 0; n < 61; n += 1) await send();
  const days = await daysOf();
  expect([days.length, new Set(days.map(({ day }) => day)).size]).toEqual([30, 30]);
  expect(days[0]).toEqual({ day: '2026-02-01', requests: 0, posts: 0, blocks: 0 });
  const last = [
    { day: '2026-02-28', requests: 0, posts: 0, blocks: 0 },
    { day: '2026-03-01', requests: 3, posts: 2, blocks: 0 },
    { day: '2026-03-02', requests: 61, posts: 60, blocks: 1 },
  ];
  expect([days.slice(-3), await daysOf('?days=3')]).toEqual([last, last]);
  expect((await admin.listKeys('?usageDays=3')).items).toMatchObject([{ usage: last }]);
  expect(await daysOf('?days=90')).toHaveLength(90);
  for (const query of ['/usage?days=0', '/usage?days=91', '?usageDays=0', '?usageDays=91'])
    expect([query, (await admin.raw('GET', `/keys${query.replace('/', `/${caller.keyId}/`)}`)).status]).toEqual([
      query,
      400,
    ]);
});

test('the last twenty addresses of a key are shown immediately, latest first, and survive a kill once saved', async () => {
  const addresses = async ({ admin }: Pick<TestHub, 'admin'> = hub) => {
    const { items } = await admin.request('GET /keys/{keyId}/addresses', { keyId: caller.keyId });
    return items.map(({ address, requests }) => `${address}: ${requests}`);
  };
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1']) await sendFrom(address);
  expect(await addresses()).toEqual(['192.0.2.1: 2', '192.0.2.2: 1']);
  await hub.flushKeys();
  expect(await addresses()).toEqual(['192.0.2.1: 2', '192.0.2.2: 1']);
  hub.clock.advance(1_000);
  await sendFrom('192.0.2.2');
  await hub.flushKeys();
  await using killed = await startAfterKill(hub);
  expect(await addresses(killed)).toEqual(['192.0.2.2: 2', '192.0.2.1: 2']);
  for (let n = 10; n < 35; n += 1) {
    hub.clock.advance(2_000);
    await sendFrom(`192.0.2.${n}`);
    if (n % 4 === 0) await hub.flushKeys();
  }
  await hub.flushKeys();
  const visible = await addresses();
  expect([visible.length, visible[0], visible.at(-1)]).toEqual([20, '192.0.2.34: 1', '192.0.2.15: 1']);
});
