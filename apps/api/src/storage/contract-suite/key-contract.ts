import { beforeEach, describe, expect, test } from 'bun:test';
import { newKey, newPost } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import { addUsage, insertHub, insertKey, insertPost, updateHub, updateKey } from '@hub/testkit/storage/store-writes';
import type { HubRecord } from '../hubs.ts';
import { KEYS_PER_SAVE } from '../key-usage.ts';
import type { BlockTime, KeyListing } from '../keys.ts';
import type { Store } from '../store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Describes what every adapter promises about keys, their usage by day, and the accounts that issued them. */
export function describeKeys(open: OpenStoreUnderTest): void {
  describe('keys', () => {
    const subject = storeSubject(open);
    let hub: HubRecord;
    let key: KeyListing;

    beforeEach(async () => {
      hub = await insertHub(subject.store);
      key = await insertKey(subject.store, newKey(hub.id));
    });

    test('a key is found by its id and, as a credential, by the hash of its token', async () => {
      const issued = newKey(hub.id, { scopes: ['notes:create', 'todos:create'], expiresAt: 9_000 });
      await insertKey(subject.store, issued);
      expect(await subject.store.keys.find(issued.key.id)).toEqual({
        ...issued.key,
        hubName: hub.name,
        isHubDeleted: false,
        isIssuerGone: false,
        usedScopes: [],
      });
      expect(await subject.store.keys.findByTokenHash(issued.tokenHash)).toEqual({
        id: issued.key.id,
        name: issued.key.name,
        hubId: hub.id,
        scopes: ['notes:create', 'todos:create'],
        expiresAt: 9_000,
        overlapEndsAt: null,
        revokedAt: null,
        hubDeletedAt: null,
      });
      expect(await subject.store.keys.findByTokenHash(new Uint8Array(32))).toBeNull();
      expect(await subject.store.keys.find('key_unknown')).toBeNull();
    });

    test('a credential is never stale after a change to its key or Hub', async () => {
      const issued = newKey(hub.id);
      await insertKey(subject.store, issued);
      const credential = () => subject.store.keys.findByTokenHash(issued.tokenHash);
      expect(await credential()).toMatchObject({ hubDeletedAt: null, overlapEndsAt: null, revokedAt: null });
      await updateHub(subject.store, hub.id, { deletedAt: 5 });
      expect(await credential()).toMatchObject({ hubDeletedAt: 5 });
      await updateHub(subject.store, hub.id, { deletedAt: null });
      expect(await credential()).toMatchObject({ hubDeletedAt: null });
      await updateKey(subject.store, issued.key.id, { overlapEndsAt: 20 });
      expect(await credential()).toMatchObject({ overlapEndsAt: 20 });
      await updateKey(subject.store, issued.key.id, { revokedAt: 15 });
      expect(await credential()).toMatchObject({ revokedAt: 15 });
    });

    test('blocks are listed with the time at which they were saved, until they end', async () => {
      const keyId = key.id;
      const sinceBoot = { boot: 'boot', ms: 7_000 };
      const save = (until: number | null, time: BlockTime) =>
        subject.store.transaction(({ keys }) => keys.saveBlock({ keyId, until }, time));
      await save(500, { at: 200, sinceBoot });
      expect(await subject.store.keys.listBlocked()).toEqual([{ keyId, until: 500, savedAt: 200, sinceBoot }]);
      await save(450, { at: 300, sinceBoot: null });
      expect(await subject.store.keys.listBlocked()).toEqual([{ keyId, until: 450, savedAt: 300, sinceBoot: null }]);
      await save(null, { at: 460, sinceBoot });
      expect(await subject.store.keys.listBlocked()).toEqual([]);
    });

    test('lists are newest first, page by page, and can be limited to one Hub', async () => {
      const other = await insertHub(subject.store);
      const second = await insertKey(subject.store, newKey(other.id));
      const third = await insertKey(subject.store, newKey(hub.id));
      const ids = async (page: Parameters<Store['keys']['list']>[0]) =>
        (await subject.store.keys.list(page)).map(({ id }) => id);
      expect(await ids({ limit: 10 })).toEqual([third.id, second.id, key.id]);
      expect(await ids({ limit: 2 })).toEqual([third.id, second.id]);
      expect(await ids({ limit: 10, before: second.id })).toEqual([key.id]);
      expect(await ids({ limit: 10, hubId: hub.id })).toEqual([third.id, key.id]);
      expect(await ids({ limit: 10, hubId: hub.id, before: third.id })).toEqual([key.id]);
    });

    test('posts of more keys than one call saves are counted exactly across a restart between two calls', async () => {
      const keys = [key];
      while (keys.length < KEYS_PER_SAVE + 10) keys.push(await insertKey(subject.store, newKey(key.hubId)));
      const postWithEach = () => Promise.all(keys.map((each) => insertPost(subject.store, newPost(each))));
      const counts = async () =>
        new Set(await Promise.all(keys.map(async ({ id }) => (await subject.store.keys.find(id))?.postCount)));
      await postWithEach();
      await addUsage(subject.store, new Map());
      await subject.reopen();
      expect(await counts()).toEqual(new Set([1]));
      await postWithEach();
      const tally = { requestCount: 1, lastUsedAt: 100, lastUsedAddress: '192.0.2.1', addresses: [] };
      await addUsage(subject.store, new Map([[keys.at(-1)?.id ?? '', tally]]));
      await subject.reopen();
      expect(await counts()).toEqual(new Set([2]));
      await addUsage(subject.store, new Map());
      await addUsage(subject.store, new Map());
      await subject.reopen();
      expect(await counts()).toEqual(new Set([2]));
    });
  });

  describe('key usage by day', () => {
    const subject = storeSubject(open);
    let key: KeyListing;

    beforeEach(async () => {
      const hub = await insertHub(subject.store);
      key = await insertKey(subject.store, newKey(hub.id));
    });

    const postOn = (day: number, of = key) => insertPost(subject.store, newPost(of, { createdAt: day * DAY_MS + 5 }));
    const useOn = (day: number, requestCount: number, of = key) =>
      addUsage(
        subject.store,
        new Map([
          [of.id, { requestCount, lastUsedAt: (day + 1) * DAY_MS - 1, lastUsedAddress: '192.0.2.1', addresses: [] }],
        ]),
      );
    const days = async (fromDay = 0) => (await subject.store.keys.usageByDay([key.id], fromDay)).get(key.id);
    const reopen = async () => {
      await subject.reopen();
    };

    test('counts posts on the day they were accepted, and saved requests on the day of the last one', async () => {
      await postOn(10);
      await useOn(10, 3);
      await Promise.all([postOn(11), postOn(11), postOn(10)]);
      await useOn(11, 7);
      expect(await days()).toEqual([
        { day: 10, requests: 3, posts: 2, blocks: 0 },
        { day: 11, requests: 7, posts: 2, blocks: 0 },
      ]);
    });

    test('returns the same post counts before and after they are saved, and across restarts', async () => {
      const expected = [
        { day: 10, requests: 0, posts: 1, blocks: 0 },
        { day: 11, requests: 0, posts: 2, blocks: 0 },
      ];
      for (const day of [10, 11, 11]) await postOn(day);
      expect(await days()).toEqual(expected);
      await reopen();
      expect(await days()).toEqual(expected);
      await addUsage(subject.store, new Map());
      expect(await days()).toEqual(expected);
      await reopen();
      await postOn(11);
      expect(await days()).toEqual([
        { day: 10, requests: 0, posts: 1, blocks: 0 },
        { day: 11, requests: 0, posts: 3, blocks: 0 },
      ]);
      expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 4 });
    });

    test('neither loses nor duplicates usage when saving fails', async () => {
      await postOn(10);
      const second = await insertKey(subject.store, newKey(key.hubId));
      const tally = { requestCount: 1, lastUsedAt: 10 * DAY_MS, lastUsedAddress: '', addresses: [] };
      const failed = addUsage(
        subject.store,
        new Map([
          [key.id, tally],
          // NaN, which a counter cannot store.
          [second.id, { ...tally, requestCount: Number.NaN }],
        ]),
      );
      expect(await failed.catch(() => 'rejected')).toBe('rejected');
      expect(await days()).toEqual([{ day: 10, requests: 0, posts: 1, blocks: 0 }]);
      await useOn(10, 1);
      expect(await days()).toEqual([{ day: 10, requests: 1, posts: 1, blocks: 0 }]);
    });
  });
}
