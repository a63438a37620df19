import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { onlyOnSqlite, post, restartHub, startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
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

  test('never has fewer requests than posts after a kill', async () => {
    await using t = await setUp();
    await t.send();
    await flushKeys(t.hub.deps);
    for (let n = 0; n < 3; n += 1) await t.send();
    await using killed = await startAfterKill(t.hub);
    const counted = async () => {
      const { requestCount, postCount } = await killed.admin.showKey(t.id);
      return [requestCount, postCount];
    };
    expect(await counted()).toEqual([4, 4]);
    await flushKeys(killed.deps);
    expect(await counted()).toEqual([4, 4]);
  });

  test('counts rejected requests as requests, not as posts', async () => {
    await using t = await setUp();
    expect((await t.send(7)).status).toBe(400);
    expect((await post(t.hub, 'notes', t.key, { content: 'x' })).status).toBe(403);
    expect(await t.use()).toMatchObject({ requestCount: 2, postCount: 0, lastUsedAt: '2026-03-01T09:30:00.000Z' });
  });

  test('does not count requests that fail to authenticate', async () => {
    await using t = await setUp();
    await t.hub.admin.revokeKey(t.id);
    expect((await t.send()).status).toBe(401);
    expect(await t.use()).toEqual({ lastUsedAt: null, lastUsedAddress: null, requestCount: 0, postCount: 0 });
  });

  test('reads the same before, during and after it is saved', async () => {
    await using t = await setUp();
    await t.send();
    await t.send(7);
    const before = await t.use();
    await flushKeys(t.hub.deps);
    expect(await t.use()).toEqual(before);
    await t.send();
    expect(await t.use()).toMatchObject({ requestCount: 3, postCount: 2 });
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

  test('counts posts exactly even if the server is killed before saving', async () => {
    await using t = await setUp();
    await Promise.all([t.send(), t.send(), t.send()]);
    await using killed = await startAfterKill(t.hub);
    expect(await killed.admin.showKey(t.id)).toMatchObject({ postCount: 3 });
  });

  test('shows when and from where a key last posted, even if the server is killed before saving', async () => {
    await using t = await setUp();
    await t.send();
    await flushKeys(t.hub.deps);
    t.hub.clock.advance(1_000);
    t.hub.setClientAddress('198.51.100.7');
    await t.send();
    const lastUse = { lastUsedAt: '2026-03-01T09:30:01.000Z', lastUsedAddress: '198.51.100.7' };
    await using killed = await startAfterKill(t.hub);
    expect(await killed.admin.showKey(t.id)).toMatchObject(lastUse);
    await flushKeys(killed.deps);
    await using again = await startAfterKill(killed);
    expect(await again.admin.showKey(t.id)).toMatchObject(lastUse);
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

  test('is added to what could not be saved, if it comes while the store fails', async () => {
    await using t = await setUp();
    const { store, usage } = t.hub.deps;
    usage.record(t.id, '192.0.2.1');
    failInTransactions(store, 'keys', 'addUsage', () => {
      usage.record(t.id, '198.51.100.7');
      return new StoreUnavailable(new Error('disk full'));
    });
    await expect(usage.flush(store)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await t.use()).toMatchObject({ requestCount: 2, lastUsedAddress: '198.51.100.7' });
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

  onlyOnSqlite('it counts commits with a PRAGMA').test('is not written to disk when no key was used', async () => {
    await using t = await setUp();
    await t.send();
    await flushKeys(t.hub.deps);
    const observer = new Database(join(t.hub.dataDir, 'hub.db'), { readonly: true });
    // The version changes whenever another connection commits changed data.
    const version = () => observer.query('PRAGMA data_version').get();
    const before = version();
    await flushKeys(t.hub.deps);
    expect(version()).toEqual(before);
    await t.send();
    expect(version()).not.toEqual(before);
    observer.close(false);
  });

  test('is counted separately for the old and the new key after a rotation', async () => {
    await using t = await setUp();
    await t.send();
    const next = await t.hub.admin.rotateKey(t.id);
    await post(t.hub, 'messages', next.key, { text: 'x' });
    expect(await t.use()).toMatchObject({ requestCount: 1, postCount: 1 });
    expect(await t.hub.admin.showKey(next.id)).toMatchObject({ requestCount: 1, postCount: 1 });
  });
});
