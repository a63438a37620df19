import { beforeEach, describe, expect, test } from 'bun:test';
import { hubRecord, newKey, newPost, testIds } from '@hub/testkit/storage/store-records';
import { failure, type OpenStoreUnderTest, rejectsWith, storeSubject } from '@hub/testkit/storage/store-subject';
import { addUsage, insertHub, insertKey, insertPost, updateHub, updateKey } from '@hub/testkit/storage/store-writes';
import type { HubRecord } from '../hubs.ts';
import type { KeyListing } from '../keys.ts';
import { describeAudit } from './audit-contract.ts';
import { describeHubs } from './hub-contract.ts';
import { describeItems } from './item-contract.ts';
import { describeItemLists } from './item-lists-contract.ts';
import { describeKeys } from './key-contract.ts';
import { describeMemberships } from './membership-contract.ts';
import { describeMentions } from './mention-contract.ts';
import { describeUsers } from './user-contract.ts';

/**
 * Describes everything that an adapter of the port promises. Call it from a test file of the adapter, with a function
 * that opens a new, empty store.
 */
export function describeStore(name: string, open: OpenStoreUnderTest): void {
  describe(`the store port on ${name}`, () => {
    describeHubs(open);
    describe('posts and transactions', () => describeTransactions(open));
    describeKeys(open);
    describeItems(open);
    describeItemLists(open);
    describeMentions(open);
    describeMemberships(open);
    describeUsers(open);
    describeAudit(open);
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

  describe('posts', () => {
    test('each kind goes into its own container in the Hub and is announced by its own event', async () => {
      expect(await post({ kind: 'message' })).toMatchObject({ seq: 1, conversationId: hub.conversationId });
      expect(await post({ kind: 'note' })).toMatchObject({ seq: 2, notesBucketId: hub.notesBucketId });
      expect(await post({ kind: 'todo' })).toMatchObject({ seq: 3, todosBucketId: hub.todosBucketId });
      expect(await eventNames()).toEqual(['1 message.created', '2 note.created', '3 todo.created']);
      const announced = (await subject.eventsOf(hub.id)).map(({ itemId }) => itemId);
      expect((await subject.itemsOf(hub.id)).map(({ id }) => id)).toEqual(announced as string[]);
    });

    test('the content of a Hub is counted, each kind up to the requested limit', async () => {
      await Promise.all([post({ kind: 'note' }), post({ kind: 'note' }), post({ kind: 'todo' }), post()]);
      expect(await subject.store.hubs.countContents(hub.id, 100)).toEqual({ members: 0, notes: 2, openTodos: 1 });
      expect(await subject.store.hubs.countContents(hub.id, 1)).toEqual({ members: 0, notes: 1, openTodos: 1 });
    });

    test('a post is rejected and nothing is kept once its key is no longer valid after a rotation or revocation', async () => {
      const revoked = await insertKey(subject.store, newKey(hub.id));
      await updateKey(subject.store, key.id, { overlapEndsAt: 10 });
      await post({ createdAt: 9 });
      await rejectsWith(post({ createdAt: 10 }), 'unauthenticated');
      await updateKey(subject.store, revoked.id, { revokedAt: 7 });
      await rejectsWith(insertPost(subject.store, newPost(revoked)), 'unauthenticated');
      expect(await subject.itemsOf(hub.id)).toHaveLength(1);
      expect(await eventNames()).toEqual(['1 message.created']);
    });

    test('a post to a Hub that was deleted in the meantime is rejected and nothing is kept', async () => {
      await updateHub(subject.store, hub.id, { deletedAt: 1 });
      await rejectsWith(post(), 'not_found');
      expect(await subject.itemsOf(hub.id)).toEqual([]);
      expect(await eventNames()).toEqual([]);
    });
  });

  describe('sequence numbers', () => {
    test('start at 1 in each Hub and rise by one, even for simultaneous posts', async () => {
      const otherKey = await insertKey(subject.store, newKey((await insertHub(subject.store)).id));
      const elsewhere = () => insertPost(subject.store, newPost(otherKey));
      const posts = await Promise.all([post(), elsewhere(), post(), elsewhere(), post()]);
      const seqs = (indexes: number[]) => indexes.map((index) => posts[index]?.seq).toSorted();
      expect(seqs([0, 2, 4])).toEqual([1, 2, 3]);
      expect(seqs([1, 3])).toEqual([1, 2]);
    });

    test('have no gap after failed simultaneous writes', async () => {
      const id = testIds('msg');
      const outcomes = await Promise.allSettled([post(), post({ id }), post({ id }), post()]);
      const [first, second, third, fourth] = outcomes.map(({ status }) => status);
      expect([first, fourth]).toEqual(['fulfilled', 'fulfilled']);
      expect([second, third].toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await subject.eventsOf(hub.id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect((await subject.itemsOf(hub.id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    });
  });

  describe('each writing method is one transaction: if it fails, none of its changes are kept', () => {
    test('a transaction that fails after it has inserted a Hub and changed another', async () => {
      const failed = hubRecord();
      const entry = await subject.unwritableAudit();
      const transaction = subject.store.transaction(async ({ hubs, events, audit }) => {
        await hubs.insert(failed);
        await hubs.update(hub.id, { name: 'x', deletedAt: 5 });
        await events.append({ hubId: hub.id, at: 5, event: 'hub.deleted', itemId: null, data: {} });
        await audit.insert(entry);
      });
      expect(await failure(transaction)).toBeInstanceOf(Error);
      expect(await subject.store.hubs.find(failed.id)).toBeNull();
      expect(await subject.store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
      expect(await eventNames()).toEqual([]);
    });

    test('a transaction that fails after it has inserted a key and changed another', async () => {
      const failed = { ...newKey(hub.id), audit: await subject.unwritableAudit() };
      const transaction = subject.store.transaction(async ({ keys, audit }) => {
        await keys.update(key.id, { successorId: failed.key.id, overlapEndsAt: 20 });
        await keys.saveBlock({ keyId: key.id, until: 500 }, { at: 1, sinceBoot: null });
        await keys.insert(failed.key, failed.tokenHash);
        await audit.insert(failed.audit);
      });
      expect(await failure(transaction)).toBeInstanceOf(Error);
      expect(await subject.store.keys.find(failed.key.id)).toBeNull();
      expect(await subject.store.keys.findByTokenHash(failed.tokenHash)).toBeNull();
      expect(await subject.store.keys.find(key.id)).toEqual(key);
      expect(await subject.store.keys.listBlocked()).toEqual([]);
    });

    test('a transaction that awaits anything but its repositories', async () => {
      const transaction = subject.store.transaction(async ({ keys }) => {
        await keys.update(key.id, { revokedAt: 5 });
        await new Promise(() => {});
      });
      expect(await failure(transaction)).toMatchObject({ message: expect.stringContaining('can only await') });
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
      expect(await failure(addUsage(subject.store, tallies))).toBeInstanceOf(Error);
      // The address of the post.
      const last = { lastUsedAddress: '192.0.2.1', requestCount: 0, postCount: 1 };
      expect(await subject.store.keys.find(key.id)).toMatchObject(last);
      await addUsage(subject.store, new Map());
      expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 1 });
    });
  });

  describe('the store as a whole', () => {
    test('keeps everything across a restart', async () => {
      await post();
      const before = [
        await subject.store.workspace.find(),
        await subject.store.hubs.find(hub.id),
        await subject.store.keys.find(key.id),
      ];
      const [items, events] = [await subject.itemsOf(hub.id), await subject.eventsOf(hub.id)];
      await subject.reopen();
      const after = [
        await subject.store.workspace.find(),
        await subject.store.hubs.find(hub.id),
        await subject.store.keys.find(key.id),
      ];
      expect(after).toEqual(before);
      expect(await subject.itemsOf(hub.id)).toEqual(items);
      expect(await subject.eventsOf(hub.id)).toEqual(events);
    });
  });
}
