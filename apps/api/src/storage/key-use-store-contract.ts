import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newKey, newPost, newUser } from '../../test/support/store-records.ts';
import { addUsage, insertHub, insertKey, insertPost, insertUser, updateUser } from '../../test/support/store-writes.ts';
import type { KeyListing } from './key-store.ts';
import type { Store } from './store.ts';
import type { StoreUnderTest } from './store-contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Describes what every adapter promises about key usage by day, and about the accounts that issued the keys. */
export function describeKeyUse(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`key usage by day on ${name}`, () => {
    let subject: StoreUnderTest;
    let store: Store;
    let key: KeyListing;

    beforeEach(async () => {
      subject = await open();
      store = subject.store;
      const hub = await insertHub(store);
      key = await insertKey(store, newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    const postOn = (day: number, of = key) => insertPost(store, newPost(of, { createdAt: day * DAY_MS + 5 }));
    const useOn = (day: number, requestCount: number, of = key) =>
      addUsage(
        store,
        new Map([
          [of.id, { requestCount, lastUsedAt: (day + 1) * DAY_MS - 1, lastUsedAddress: '192.0.2.1', addresses: [] }],
        ]),
      );
    const days = async (fromDay = 0) => (await store.keys.usageByDay([key.id], fromDay)).get(key.id);
    const reopen = async () => {
      subject = await subject.reopen();
      store = subject.store;
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
      await addUsage(store, new Map());
      expect(await days()).toEqual(expected);
      await reopen();
      await postOn(11);
      expect(await days()).toEqual([
        { day: 10, requests: 0, posts: 1, blocks: 0 },
        { day: 11, requests: 0, posts: 3, blocks: 0 },
      ]);
      expect(await store.keys.find(key.id)).toMatchObject({ postCount: 4 });
    });

    test('counts posts once when they share a batch with saved usage', async () => {
      await postOn(10);
      await Promise.all([postOn(10), useOn(10, 1), postOn(11), useOn(11, 1)]);
      const expected = [
        { day: 10, requests: 1, posts: 2, blocks: 0 },
        { day: 11, requests: 1, posts: 1, blocks: 0 },
      ];
      expect(await days()).toEqual(expected);
      await reopen();
      expect(await days()).toEqual(expected);
    });

    test('neither loses nor duplicates usage when saving fails', async () => {
      await postOn(10);
      const second = await insertKey(store, newKey(key.hubId));
      const tally = { requestCount: 1, lastUsedAt: 10 * DAY_MS, lastUsedAddress: '', addresses: [] };
      const failed = addUsage(
        store,
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

    test('starts with the requested day, and leaves out unused keys', async () => {
      const unused = await insertKey(store, newKey(key.hubId));
      const other = await insertKey(store, newKey(key.hubId));
      for (const day of [10, 11]) await useOn(day, 1);
      await postOn(9, other);
      await postOn(11);
      const usage = await store.keys.usageByDay([key.id, unused.id, other.id], 11);
      expect([...usage]).toEqual([[key.id, [{ day: 11, requests: 1, posts: 1, blocks: 0 }]]]);
    });

    test('shows whether the account that issued a key is disabled', async () => {
      const user = await insertUser(store, newUser());
      const createdBy = { kind: 'person' as const, id: user.id, name: user.name };
      const { id } = await insertKey(store, newKey(key.hubId, { createdBy }));
      const gone = async () => [
        (await store.keys.find(id))?.isIssuerGone,
        (await store.keys.list({ limit: 1 }))[0]?.isIssuerGone,
      ];
      expect(await gone()).toEqual([false, false]);
      await updateUser(store, user.id, { disabledAt: 9 });
      expect(await gone()).toEqual([true, true]);
      await updateUser(store, user.id, { disabledAt: null });
      expect(await gone()).toEqual([false, false]);
      expect((await store.keys.find(key.id))?.isIssuerGone).toBe(false);
    });
  });
}
