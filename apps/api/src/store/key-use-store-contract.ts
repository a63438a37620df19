import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { hubRecord, newKey, newPost, testAudit } from '../testing/store-records.ts';
import { newUser } from '../testing/users-records.ts';
import type { KeyListing, Store } from './store.ts';
import type { StoreUnderTest } from './store-contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What every adapter promises of the use of keys by day, and of the accounts that issued them. */
export function describeKeyUse(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the use of keys by day on ${name}`, () => {
    let subject: StoreUnderTest;
    let store: Store;
    let key: KeyListing;

    beforeEach(async () => {
      subject = await open();
      store = subject.store;
      const hub = await store.hubs.create(hubRecord(), testAudit(), null);
      key = await store.keys.issue(newKey(hub.id));
    });
    afterEach(() => subject.dispose());

    const postOn = (day: number, of = key) => store.posts.create(newPost(of, { createdAt: day * DAY_MS + 5 }));
    const useOn = (day: number, requestCount: number, of = key) =>
      store.keys.addUsage(
        new Map([
          [of.id, { requestCount, lastUsedAt: (day + 1) * DAY_MS - 1, lastUsedAddress: '192.0.2.1', addresses: [] }],
        ]),
      );
    const days = async (fromDay = 0) => (await store.keys.usageByDay([key.id], fromDay)).get(key.id);
    const reopen = async () => {
      subject = await subject.reopen();
      store = subject.store;
    };

    test('posts count on the day on which they were accepted, requests on that of the last of them', async () => {
      await postOn(10);
      await useOn(10, 3);
      await Promise.all([postOn(11), postOn(11), postOn(10)]);
      await useOn(11, 7);
      expect(await days()).toEqual([
        { day: 10, requests: 3, posts: 2, blocks: 0 },
        { day: 11, requests: 7, posts: 2, blocks: 0 },
      ]);
    });

    test('of posts is the same before and after it is written down, and over restarts', async () => {
      const expected = [
        { day: 10, requests: 0, posts: 1, blocks: 0 },
        { day: 11, requests: 0, posts: 2, blocks: 0 },
      ];
      for (const day of [10, 11, 11]) await postOn(day);
      expect(await days()).toEqual(expected);
      await reopen();
      expect(await days()).toEqual(expected);
      await store.keys.addUsage(new Map());
      expect(await days()).toEqual(expected);
      await reopen();
      await postOn(11);
      expect(await days()).toEqual([
        { day: 10, requests: 0, posts: 1, blocks: 0 },
        { day: 11, requests: 0, posts: 3, blocks: 0 },
      ]);
      expect(await store.keys.find(key.id)).toMatchObject({ postCount: 4 });
    });

    test('of posts that share a batch with writings-down is counted once', async () => {
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

    test('is neither lost nor counted twice when it cannot be written down', async () => {
      await postOn(10);
      const second = await store.keys.issue(newKey(key.hubId));
      const tally = { requestCount: 1, lastUsedAt: 10 * DAY_MS, lastUsedAddress: '', addresses: [] };
      const failed = store.keys.addUsage(
        new Map([
          [key.id, tally],
          // No number: a counter cannot take it.
          [second.id, { ...tally, requestCount: Number.NaN }],
        ]),
      );
      expect(await failed.catch(() => 'refused')).toBe('refused');
      expect(await days()).toEqual([{ day: 10, requests: 0, posts: 1, blocks: 0 }]);
      await useOn(10, 1);
      expect(await days()).toEqual([{ day: 10, requests: 1, posts: 1, blocks: 0 }]);
    });

    test('begins with the day that is asked for, and leaves out keys without use', async () => {
      const unused = await store.keys.issue(newKey(key.hubId));
      const other = await store.keys.issue(newKey(key.hubId));
      for (const day of [10, 11]) await useOn(day, 1);
      await postOn(9, other);
      await postOn(11);
      const usage = await store.keys.usageByDay([key.id, unused.id, other.id], 11);
      expect([...usage]).toEqual([[key.id, [{ day: 11, requests: 1, posts: 1, blocks: 0 }]]]);
    });

    test('a key tells whether the account that issued it was disabled since', async () => {
      const user = await store.users.create(newUser());
      const createdBy = { kind: 'person' as const, id: user.id, name: user.name };
      const { id } = await store.keys.issue(newKey(key.hubId, { createdBy }));
      const gone = async () => [
        (await store.keys.find(id))?.isIssuerGone,
        (await store.keys.list({ limit: 1 }))[0]?.isIssuerGone,
      ];
      expect(await gone()).toEqual([false, false]);
      const change = () => ({ personId: user.id, mayTouchOwners: true, at: 9, audit: testAudit() });
      await store.users.disable(change());
      expect(await gone()).toEqual([true, true]);
      await store.users.enable(change());
      expect(await gone()).toEqual([false, false]);
      expect((await store.keys.find(key.id))?.isIssuerGone).toBe(false);
    });
  });
}
