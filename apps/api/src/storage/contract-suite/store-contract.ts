import { beforeEach, describe, expect, test } from 'bun:test';
import type { AuditAction } from '@hub/contract';
import { failureOf } from '@hub/testkit/concurrency';
import { hubRecord, newKey, newPost, testAudit, testIds } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import { addUsage, insertHub, insertKey, insertPost } from '@hub/testkit/storage/store-writes';
import type { AuditFilter } from '../audit.ts';
import type { HubRecord } from '../hubs.ts';
import type { KeyListing } from '../keys.ts';
import { describeLists, describeMemberships } from './lists-contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Describes what an adapter of the port promises beyond single requests, whose tests run on both storages: transactions,
 * numbers, and lists under load. Call it with a function that opens a new, empty store.
 */
export function describeStore(name: string, open: OpenStoreUnderTest): void {
  describe(`the store port on ${name}`, () => {
    describe('posts and transactions', () => describeTransactions(open));
    describe('lists of items', () => describeLists(open));
    describe('memberships', () => describeMemberships(open));
    describe('the audit log', () => describeAudit(open));
  });
}

function describeTransactions(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  let hub: HubRecord;
  let key: KeyListing;

  beforeEach(async () => {
    hub = await insertHub(subject.store);
    key = await insertKey(subject.store, newKey(hub.id));
  });

  const eventNames = async (hubId = hub.id) =>
    (await subject.eventsOf(hubId)).map(({ seq, event }) => `${seq} ${event}`);
  const post = (over: Parameters<typeof newPost>[1] = {}) => insertPost(subject.store, newPost(key, over));

  test('sequence numbers start at 1 in each Hub and rise by one without gaps, even if some of simultaneous writes fail', async () => {
    const otherKey = await insertKey(subject.store, newKey((await insertHub(subject.store)).id));
    const elsewhere = () => insertPost(subject.store, newPost(otherKey));
    const id = testIds('msg');
    const writes = [post(), elsewhere(), post({ id }), post({ id }), elsewhere(), post()];
    const statuses = (await Promise.allSettled(writes)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'rejected')).toHaveLength(1);
    expect(statuses.slice(2, 4)).toContain('rejected');
    for (const [hubId, seqs] of [
      [hub.id, [1, 2, 3]],
      [otherKey.hubId, [1, 2]],
    ] as const) {
      expect((await subject.eventsOf(hubId)).map(({ seq }) => seq)).toEqual([...seqs]);
      expect((await subject.itemsOf(hubId)).map(({ seq }) => seq)).toEqual([...seqs]);
    }
  });

  test('a transaction that fails after its changes leaves none of them', async () => {
    const failed = hubRecord();
    const entry = await subject.unwritableAudit();
    const transaction = subject.store.transaction(async ({ hubs, events, audit }) => {
      await hubs.insert(failed);
      await hubs.update(hub.id, { name: 'x', deletedAt: 5 });
      await events.append({ hubId: hub.id, at: 5, event: 'hub.deleted', itemId: null, data: {} });
      await audit.insert(entry);
    });
    expect(await failureOf(transaction)).toBeInstanceOf(Error);
    expect(await subject.store.hubs.find(failed.id)).toBeNull();
    expect(await subject.store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
    expect(await eventNames()).toEqual([]);
  });

  test('a transaction that awaits anything but its repositories fails, and leaves no change', async () => {
    const transaction = subject.store.transaction(async ({ keys }) => {
      await keys.update(key.id, { revokedAt: 5 });
      await new Promise(() => {});
    });
    expect(await failureOf(transaction)).toMatchObject({ message: expect.stringContaining('can only await') });
    expect(await subject.store.keys.find(key.id)).toEqual(key);
  });

  test('keys.addUsage saves the usage of all keys or of none, and posts are still counted', async () => {
    const second = await insertKey(subject.store, newKey(hub.id));
    await post();
    const tally = { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] };
    const tallies = new Map([
      [key.id, tally],
      // NaN, which a counter cannot store.
      [second.id, { ...tally, requestCount: Number.NaN }],
    ]);
    expect(await failureOf(addUsage(subject.store, tallies))).toBeInstanceOf(Error);
    // The address of the post.
    const last = { lastUsedAddress: '192.0.2.1', requestCount: 0, postCount: 1 };
    expect(await subject.store.keys.find(key.id)).toMatchObject(last);
    await addUsage(subject.store, new Map());
    expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 1 });
  });
}

function describeAudit(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  const entryOf = (action: AuditAction, actorId: string | null, hubId: string | null = null) =>
    testAudit({ action, actor: { kind: 'user', id: actorId, name: 'Ada' }, hubId });
  const note = async (...entry: Parameters<typeof entryOf>) => {
    const record = entryOf(...entry);
    await subject.store.transaction(({ audit }) => audit.insert(record));
    return record.id;
  };
  const found = async (filter: AuditFilter & { limit?: number; before?: string }) => {
    const { entries, next } = await subject.store.audit.search({ limit: 10, ...filter });
    return { ids: entries.map(({ id }) => id), next };
  };

  test('examines a limited number of entries per page, and continues after them on the next page', async () => {
    const rare = await note('key.revoked', 'usr_a', 'hub_1');
    await subject.store.transaction(async ({ audit }) => {
      for (let n = 0; n < 5_000; n += 1) await audit.insert(entryOf('key.issued', 'usr_b', 'hub_1'));
    });
    for (const filter of [{ actorId: 'usr_a' }, { action: 'key.revoked' as const, hubId: 'hub_1' }]) {
      const first = await found(filter);
      expect(first.ids).toEqual([]);
      expect(await found({ ...filter, before: first.next ?? '' })).toEqual({ ids: [rare], next: null });
    }
    // A page that would begin before the requested time range is not offered.
    const { entries } = await subject.store.audit.search({ limit: 1 });
    const from = (entries[0]?.at ?? 0) + DAY_MS;
    expect(await found({ actorId: 'usr_a', from })).toEqual({ ids: [], next: null });
  });
}
