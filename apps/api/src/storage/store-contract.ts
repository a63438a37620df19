import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { hubRecord, newKey, newPost, testAudit, testIds } from '../../test/support/store-records.ts';
import { addUsage, insertHub, insertKey, insertPost, updateHub, updateKey } from '../../test/support/store-writes.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { HubRecord } from './hub-store.ts';
import type { BlockTime, KeyListing } from './key-store.ts';
import type { Store } from './store.ts';

/** A store under test, with details that the port does not expose but every adapter must keep. */
export interface StoreUnderTest {
  store: Store;
  /** All items in a Hub, in the order of their sequence numbers. */
  itemsOf(hubId: string): { id: string; kind: string; seq: number; keyId: string | null }[];
  /** All events in a Hub, in the order of their sequence numbers. */
  eventsOf(hubId: string): { seq: number; event: string; itemId: string | null }[];
  /** The ranks of the items whose text has changed, in the order of the changes. */
  touchedRanks(): number[];
  /** Closes the store and opens it again on the same data, as after a restart. */
  reopen(): Promise<StoreUnderTest>;
  /** Closes the store and removes its data. */
  dispose(): Promise<void>;
}

/** Describes what every adapter of the port promises. Call it from the adapter's test file. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the store port on ${name}`, () => {
    let subject: StoreUnderTest;
    let store: Store;
    let hub: HubRecord;
    let key: KeyListing;

    beforeEach(async () => {
      subject = await open();
      store = subject.store;
      hub = await insertHub(store);
      key = await insertKey(store, newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    /**
     * Returns an audit entry that cannot be written, since its id is taken. Every change writes its audit entry last.
     */
    async function unwritableAudit() {
      const taken = testAudit();
      await store.transaction(({ audit }) => audit.insert(taken));
      return testAudit({ id: taken.id });
    }
    const eventNames = (hubId = hub.id) => subject.eventsOf(hubId).map(({ seq, event }) => `${seq} ${event}`);
    const post = (over: Parameters<typeof newPost>[1] = {}) => insertPost(store, newPost(key, over));

    describe('Hubs', () => {
      test('a new Hub is read back exactly as it was created', async () => {
        expect(await store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
        expect(await store.hubs.find('hub_unknown')).toBeNull();
      });

      test('an update changes only the given fields, and writes no event', async () => {
        await updateHub(store, hub.id, { name: 'Deploys', retentionDays: 30 });
        await updateHub(store, hub.id, { deletedAt: 1_000 });
        const changed = { ...hub, name: 'Deploys', retentionDays: 30, seq: 0 };
        expect(await store.hubs.find(hub.id)).toEqual({ ...changed, deletedAt: 1_000 });
        await updateHub(store, hub.id, { deletedAt: null });
        expect(await store.hubs.find(hub.id)).toEqual(changed);
        expect(eventNames()).toEqual([]);
      });

      test('lists are newest first, page by page, and can be filtered by state', async () => {
        const second = await insertHub(store);
        const third = await insertHub(store);
        await updateHub(store, second.id, { deletedAt: 1 });
        const ids = async (page: Parameters<Store['hubs']['list']>[0]) =>
          (await store.hubs.list(page)).map(({ id }) => id);
        expect(await ids({ limit: 10, filter: 'all' })).toEqual([third.id, second.id, hub.id]);
        expect(await ids({ limit: 10, filter: 'live' })).toEqual([third.id, hub.id]);
        expect(await ids({ limit: 10, filter: 'deleted' })).toEqual([second.id]);
        expect(await ids({ limit: 1, filter: 'live' })).toEqual([third.id]);
        expect(await ids({ limit: 10, filter: 'live', before: third.id })).toEqual([hub.id]);
        expect(await ids({ limit: 10, filter: 'all', before: third.id })).toEqual([second.id, hub.id]);
        expect(await ids({ limit: 10, filter: 'deleted', before: second.id })).toEqual([]);
      });
    });

    describe('keys', () => {
      test('a key is found by its id and, as a credential, by the hash of its token', async () => {
        const issued = newKey(hub.id, { scopes: ['notes:create', 'todos:create'], expiresAt: 9_000 });
        await insertKey(store, issued);
        expect(await store.keys.find(issued.key.id)).toEqual({
          ...issued.key,
          hubName: hub.name,
          isHubDeleted: false,
          isIssuerGone: false,
          usedScopes: [],
        });
        expect(await store.keys.findByTokenHash(issued.tokenHash)).toEqual({
          id: issued.key.id,
          name: issued.key.name,
          hubId: hub.id,
          scopes: ['notes:create', 'todos:create'],
          expiresAt: 9_000,
          overlapEndsAt: null,
          revokedAt: null,
          hubDeletedAt: null,
        });
        expect(await store.keys.findByTokenHash(new Uint8Array(32))).toBeNull();
        expect(await store.keys.find('key_unknown')).toBeNull();
      });

      test('a credential is never stale after a change to its key or Hub', async () => {
        const issued = newKey(hub.id);
        await insertKey(store, issued);
        const credential = () => store.keys.findByTokenHash(issued.tokenHash);
        expect(await credential()).toMatchObject({ hubDeletedAt: null, overlapEndsAt: null, revokedAt: null });
        await updateHub(store, hub.id, { deletedAt: 5 });
        expect(await credential()).toMatchObject({ hubDeletedAt: 5 });
        await updateHub(store, hub.id, { deletedAt: null });
        expect(await credential()).toMatchObject({ hubDeletedAt: null });
        await updateKey(store, issued.key.id, { overlapEndsAt: 20 });
        expect(await credential()).toMatchObject({ overlapEndsAt: 20 });
        await updateKey(store, issued.key.id, { revokedAt: 15 });
        expect(await credential()).toMatchObject({ revokedAt: 15 });
      });

      test('blocks are listed with the time at which they were saved, until they end', async () => {
        const keyId = key.id;
        const sinceBoot = { boot: 'boot', ms: 7_000 };
        const save = (until: number | null, time: BlockTime) =>
          store.transaction(({ keys }) => keys.saveBlock({ keyId, until }, time));
        await save(500, { at: 200, sinceBoot });
        expect(await store.keys.listBlocked()).toEqual([{ keyId, until: 500, savedAt: 200, sinceBoot }]);
        await save(450, { at: 300, sinceBoot: null });
        expect(await store.keys.listBlocked()).toEqual([{ keyId, until: 450, savedAt: 300, sinceBoot: null }]);
        await save(null, { at: 460, sinceBoot });
        expect(await store.keys.listBlocked()).toEqual([]);
      });

      test('lists are newest first, page by page, and can be limited to one Hub', async () => {
        const other = await insertHub(store);
        const second = await insertKey(store, newKey(other.id));
        const third = await insertKey(store, newKey(hub.id));
        const ids = async (page: Parameters<Store['keys']['list']>[0]) =>
          (await store.keys.list(page)).map(({ id }) => id);
        expect(await ids({ limit: 10 })).toEqual([third.id, second.id, key.id]);
        expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
        expect(await ids({ limit: 10, before: second.id })).toEqual([key.id]);
        expect(await ids({ limit: 10, hubId: hub.id })).toEqual([third.id, key.id]);
        expect(await ids({ limit: 10, hubId: hub.id, before: third.id })).toEqual([key.id]);
      });

      test('usage adds up and includes the time and address of the last request', async () => {
        const tally = { requestCount: 2, lastUsedAt: 100, lastUsedAddress: '192.0.2.1', addresses: [] };
        await addUsage(store, new Map([[key.id, tally]]));
        await addUsage(store, new Map([[key.id, { ...tally, lastUsedAt: 200, lastUsedAddress: '192.0.2.2' }]]));
        expect(await store.keys.find(key.id)).toMatchObject({
          requestCount: 4,
          postCount: 0,
          lastUsedAt: 200,
          lastUsedAddress: '192.0.2.2',
        });
      });

      test('posts are counted exactly, before and after usage is saved and across restarts', async () => {
        await Promise.all([post(), post()]);
        expect(await store.keys.find(key.id)).toMatchObject({ postCount: 2 });
        subject = await subject.reopen();
        store = subject.store;
        await addUsage(store, new Map());
        subject = await subject.reopen();
        store = subject.store;
        await post();
        await addUsage(store, new Map());
        expect(await store.keys.find(key.id)).toMatchObject({ postCount: 3 });
        subject = await subject.reopen();
        expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 3 });
      });

      test('posts that share a batch with saved usage are counted once', async () => {
        await post();
        await Promise.all([post(), addUsage(store, new Map()), post(), addUsage(store, new Map())]);
        expect(await store.keys.find(key.id)).toMatchObject({ postCount: 3 });
        subject = await subject.reopen();
        expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 3 });
      });
    });

    describe('posts', () => {
      test('each kind goes into its own container in the Hub and is announced by its own event', async () => {
        expect(await post({ kind: 'message' })).toEqual({ seq: 1, containerId: hub.conversationId });
        expect(await post({ kind: 'note' })).toEqual({ seq: 2, containerId: hub.notesBucketId });
        expect(await post({ kind: 'todo' })).toEqual({ seq: 3, containerId: hub.todosBucketId });
        expect(eventNames()).toEqual(['1 message.created', '2 note.created', '3 todo.created']);
        const announced = subject.eventsOf(hub.id).map(({ itemId }) => itemId);
        expect(subject.itemsOf(hub.id).map(({ id }) => id)).toEqual(announced as string[]);
      });

      test('items are counted in the totals', async () => {
        await Promise.all([post(), post()]);
        expect(await store.totals(0)).toEqual({ hubs: 1, keys: 1, items: 2 });
      });

      test('the content of a Hub is counted, each kind up to the requested limit', async () => {
        await Promise.all([post({ kind: 'note' }), post({ kind: 'note' }), post({ kind: 'todo' }), post()]);
        expect(await store.hubs.countContents(hub.id, 100)).toEqual({ members: 0, notes: 2, openTodos: 1 });
        expect(await store.hubs.countContents(hub.id, 1)).toEqual({ members: 0, notes: 1, openTodos: 1 });
      });

      test('keys that are valid at a given time are counted, up to the requested limit', async () => {
        const [expiring, revoked] = [newKey(hub.id, { expiresAt: 10 }), newKey(hub.id)];
        await insertKey(store, expiring);
        await insertKey(store, revoked);
        await updateKey(store, revoked.key.id, { revokedAt: 5 });
        await insertKey(store, newKey(hub.id));
        await updateKey(store, key.id, { overlapEndsAt: 20 });
        const counts = [9, 10, 19, 20].map((at) => store.hubs.countKeys(hub.id, at, 100));
        expect(await Promise.all(counts)).toEqual([3, 2, 2, 1]);
        expect(await store.hubs.countKeys(hub.id, 9, 2)).toBe(2);
      });

      test('items created before a given time are counted, up to the requested limit', async () => {
        for (const createdAt of [10, 20, 30]) await post({ kind: 'note', createdAt });
        await post({ createdAt: 10 });
        expect(await store.hubs.countOlder(hub.id, 30, 100)).toBe(3);
        expect(await store.hubs.countOlder(hub.id, 30, 2)).toBe(2);
        expect(await store.hubs.countOlder(hub.id, 10, 100)).toBe(0);
        expect(await store.hubs.countMembers(hub.id, 100)).toBe(0);
      });

      test('the count of open to-dos is null, not an estimate, when there are too many to examine', async () => {
        const many = Array.from({ length: 5_000 }, () => post({ kind: 'todo' }));
        await Promise.all(many);
        expect(await store.hubs.countContents(hub.id, 100)).toMatchObject({ openTodos: 100 });
        expect(await store.hubs.countContents(hub.id, 10_000)).toMatchObject({ openTodos: null });
      });

      test('a post is rejected and nothing is kept once its key is no longer valid after a rotation or revocation', async () => {
        const revoked = await insertKey(store, newKey(hub.id));
        await updateKey(store, key.id, { overlapEndsAt: 10 });
        await post({ createdAt: 9 });
        await rejectsWith(post({ createdAt: 10 }), 'unauthenticated');
        await updateKey(store, revoked.id, { revokedAt: 7 });
        await rejectsWith(insertPost(store, newPost(revoked)), 'unauthenticated');
        expect(subject.itemsOf(hub.id)).toHaveLength(1);
        expect(eventNames()).toEqual(['1 message.created']);
      });

      test('a post to a Hub that was deleted in the meantime is rejected and nothing is kept', async () => {
        await updateHub(store, hub.id, { deletedAt: 1 });
        await rejectsWith(post(), 'not_found');
        expect(subject.itemsOf(hub.id)).toEqual([]);
        expect(eventNames()).toEqual([]);
      });
    });

    describe('sequence numbers', () => {
      test('start at 1 in each Hub and rise by one, even within one batch', async () => {
        const other = await insertHub(store);
        const otherKey = await insertKey(store, newKey(other.id));
        const posts = await Promise.all([
          post(),
          insertPost(store, newPost(otherKey)),
          post(),
          insertPost(store, newPost(otherKey)),
          post(),
        ]);
        expect(posts.map(({ seq }) => seq)).toEqual([1, 1, 2, 2, 3]);
      });

      test('have no gap after failed writes in the same batch', async () => {
        const id = testIds('msg');
        const outcomes = await Promise.allSettled([post(), post({ id }), post({ id }), post()]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
        expect(subject.eventsOf(hub.id).map(({ seq }) => seq)).toEqual([1, 2, 3]);
        expect(subject.itemsOf(hub.id).map(({ seq }) => seq)).toEqual([1, 2, 3]);
      });

      test('continue after a restart', async () => {
        await post();
        subject = await subject.reopen();
        expect(await insertPost(subject.store, newPost(key))).toMatchObject({ seq: 2 });
      });
    });

    describe('each writing method is one transaction: if it fails, none of its changes are kept', () => {
      test('a transaction that fails after it has inserted a Hub and changed another', async () => {
        const failed = hubRecord();
        const entry = await unwritableAudit();
        const transaction = store.transaction(async ({ hubs, events, audit }) => {
          await hubs.insert(failed);
          await hubs.update(hub.id, { name: 'x', deletedAt: 5 });
          await events.append({ hubId: hub.id, at: 5, event: 'hub.deleted', itemId: null, data: {} });
          await audit.insert(entry);
        });
        expect(await failure(transaction)).toBeInstanceOf(Error);
        expect(await store.hubs.find(failed.id)).toBeNull();
        expect(await store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
        expect(eventNames()).toEqual([]);
      });

      test('a transaction that fails after it has inserted a key and changed another', async () => {
        const failed = { ...newKey(hub.id), audit: await unwritableAudit() };
        const transaction = store.transaction(async ({ keys, audit }) => {
          await keys.update(key.id, { successorId: failed.key.id, overlapEndsAt: 20 });
          await keys.saveBlock({ keyId: key.id, until: 500 }, { at: 1, sinceBoot: null });
          await keys.insert(failed.key, failed.tokenHash);
          await audit.insert(failed.audit);
        });
        expect(await failure(transaction)).toBeInstanceOf(Error);
        expect(await store.keys.find(failed.key.id)).toBeNull();
        expect(await store.keys.findByTokenHash(failed.tokenHash)).toBeNull();
        expect(await store.keys.find(key.id)).toEqual(key);
        expect(await store.keys.listBlocked()).toEqual([]);
      });

      test('a transaction that awaits anything but its repositories', async () => {
        const transaction = store.transaction(async ({ keys }) => {
          await keys.update(key.id, { revokedAt: 5 });
          await new Promise(() => {});
        });
        expect(await failure(transaction)).toMatchObject({ message: expect.stringContaining('can only await') });
        expect(await store.keys.find(key.id)).toEqual(key);
      });

      test('keys.addUsage saves the usage of all keys or of none, and posts are still counted', async () => {
        const second = await insertKey(store, newKey(hub.id));
        await post();
        const tally = { requestCount: 1, lastUsedAt: 1, lastUsedAddress: '', addresses: [] };
        const tallies = new Map([
          [key.id, tally],
          // NaN, which a counter cannot store.
          [second.id, { ...tally, requestCount: Number.NaN }],
        ]);
        expect(await failure(addUsage(store, tallies))).toBeInstanceOf(Error);
        expect(await store.keys.find(key.id)).toMatchObject({ requestCount: 0, lastUsedAt: null, postCount: 1 });
        await addUsage(store, new Map());
        expect(await store.keys.find(key.id)).toMatchObject({ postCount: 1 });
      });

      test('a post keeps no item, event, sequence number or count', async () => {
        const id = testIds('msg');
        await post({ id });
        expect(await failure(post({ id }))).toBeInstanceOf(Error);
        expect(subject.itemsOf(hub.id)).toHaveLength(1);
        expect(eventNames()).toEqual(['1 message.created']);
        expect(await store.keys.find(key.id)).toMatchObject({ postCount: 1 });
        expect(await store.totals(0)).toMatchObject({ items: 1 });
        expect(await post()).toMatchObject({ seq: 2 });
      });
    });

    describe('the store as a whole', () => {
      test('keeps everything across a restart', async () => {
        await post();
        const before = [await store.workspace.find(), await store.hubs.find(hub.id), await store.keys.find(key.id)];
        const [items, events] = [subject.itemsOf(hub.id), subject.eventsOf(hub.id)];
        subject = await subject.reopen();
        store = subject.store;
        const after = [await store.workspace.find(), await store.hubs.find(hub.id), await store.keys.find(key.id)];
        expect(after).toEqual(before);
        expect(subject.itemsOf(hub.id)).toEqual(items);
        expect(subject.eventsOf(hub.id)).toEqual(events);
      });

      test('counts the keys that can post at the given time', async () => {
        await insertKey(store, newKey(hub.id, { expiresAt: 100 }));
        const revoked = await insertKey(store, newKey(hub.id));
        await updateKey(store, revoked.id, { revokedAt: 1 });
        await insertKey(store, newKey(hub.id));
        await updateKey(store, key.id, { overlapEndsAt: 50 });
        expect((await store.totals(49)).keys).toBe(3);
        expect((await store.totals(50)).keys).toBe(2);
        expect((await store.totals(100)).keys).toBe(1);
      });

      test('returns audit entries as they were written, newest first, and only for one Hub on request', async () => {
        const entry = testAudit({ hubId: hub.id, details: { from: 'a', nested: [1, null] }, address: null });
        await store.transaction(({ audit }) => audit.insert(entry));
        const list = async (page: Parameters<Store['audit']['search']>[0]) => (await store.audit.search(page)).entries;
        const [newest, ...older] = await list({ limit: 100 });
        expect(newest).toEqual(entry);
        expect(older.length).toBeGreaterThan(0);
        expect(await list({ limit: 100, hubId: hub.id })).toEqual([entry]);
        expect(await list({ limit: 100, before: entry.id })).toEqual(older);
        expect(await list({ limit: 1 })).toEqual([entry]);
      });

      test('reports that it can serve, and its size', async () => {
        expect(await store.probe()).toBeUndefined();
        expect(store.sizes().databaseBytes).toBeGreaterThan(0);
      });
    });
  });
}

/**
 * Returns the error with which a promise rejects, or `null`. Bun's `expect().rejects` waits in a separate loop, in
 * which messages from a thread do not always arrive.
 */
function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}

async function rejectsWith(promise: Promise<unknown>, code: ErrorCode): Promise<void> {
  const error = await failure(promise);
  expect(error).toBeInstanceOf(AppError);
  expect((error as AppError).code).toBe(code);
}
