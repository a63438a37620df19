import { beforeEach, describe, expect, test } from 'bun:test';
import { itemQuery, newItem, newUser } from '@hub/testkit/storage/store-records';
import { type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import {
  deleteItem,
  inGroups,
  insertHub,
  insertItem,
  insertUser,
  markRead,
  updateItem,
} from '@hub/testkit/storage/store-writes';
import { BEFORE_ALL_ITEMS, type ItemPage, type ItemQuery } from '../item-pages.ts';
import type { ItemRecord, NewItem } from '../items.ts';

const ALL = ['message', 'reply', 'note', 'todo'] as const;

/** Describes what every adapter promises about lists of items. */
export function describeItemLists(open: OpenStoreUnderTest): void {
  describe('lists of items', () => {
    const subject = storeSubject(open);
    let one: string;
    let two: string;
    let ada: string;
    let bob: string;
    beforeEach(async () => {
      one = (await insertHub(subject.store)).id;
      two = (await insertHub(subject.store)).id;
      ada = (await insertUser(subject.store, newUser({}, [one, two]))).id;
      bob = (await insertUser(subject.store, newUser({ name: 'Bob' }, [one]))).id;
    });
    const write = (hubId: string, over: Partial<NewItem> = {}) => insertItem(subject.store, newItem(hubId, ada, over));
    const list = (hubIds: readonly string[], over: Partial<ItemQuery> = {}) =>
      subject.store.items.list(itemQuery(hubIds, over));
    const ids = (items: readonly ItemRecord[]) => items.map(({ id }) => id);
    const newestFirst = (items: readonly ItemRecord[]) => ids(items).reverse();

    test('merge only the requested Hubs and kinds, in commit order', async () => {
      const message = await write(one);
      const note = await write(two, { kind: 'note' });
      const reply = await write(one, { kind: 'reply', parentId: message.id });
      const todo = await write(two, { kind: 'todo', title: 'T' });
      const found = async (hubIds: string[], kinds: ItemQuery['kinds']) => ids((await list(hubIds, { kinds })).items);
      expect(await found([one, two], ALL)).toEqual([todo.id, reply.id, note.id, message.id]);
      expect(await found([one], ALL)).toEqual([reply.id, message.id]);
      expect(await found([one, two], ['message', 'note'])).toEqual([note.id, message.id]);
      expect(await found([two], ['todo'])).toEqual([todo.id]);
      expect(await found([], ALL)).toEqual([]);
    });

    test('exactly match the sequence numbers that they state, even during other writes', async () => {
      let isWriting = true;
      // Created one by one, so that each has its own commit.
      const writing = (async () => {
        for (let n = 0; n < 300; n += 1) await write(one);
        isWriting = false;
      })();
      const pages: number[] = [];
      while (isWriting) {
        const { items, seqs } = await list([one, two], { limit: 1, kinds: ALL });
        if (items[0]) expect(items[0].seq).toBe(seqs[one] ?? 0);
        pages.push(items.length);
        await new Promise(setImmediate);
      }
      await writing;
      expect(pages.length).toBeGreaterThan(1);
    });

    test('are complete in pages of any size, in both directions', async () => {
      const written: ItemRecord[] = [];
      for (let n = 0; n < 40; n += 1) {
        written.push(await write(n % 3 === 0 ? two : one, n % 4 === 0 ? { kind: 'note' } : {}));
      }
      for (const limit of [1, 3, 7, 39, 40, 41]) {
        const down: ItemRecord[] = [];
        let before: string | undefined;
        do {
          const page = await list([one, two], { kinds: ALL, limit, before });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          down.push(...page.items);
          before = page.next ?? undefined;
        } while (before !== undefined);
        expect(ids(down)).toEqual(newestFirst(written));
        const up: ItemRecord[] = [];
        let after = written[0]?.id;
        while (after !== undefined) {
          const page = await list([one, two], { kinds: ALL, limit, after });
          up.unshift(...page.items);
          after = page.next ?? undefined;
        }
        expect(ids(up)).toEqual(newestFirst(written.slice(1)));
      }
    });

    test('end a page at the maximum size, but after at least one item, and continue from there', async () => {
      const written: ItemRecord[] = [];
      for (const length of [10, 10, 500, 90, 20, 1]) written.push(await write(one, { body: 'é'.repeat(length / 2) }));
      const read: number[] = [];
      let after: string | null = BEFORE_ALL_ITEMS;
      const pages: number[] = [];
      while (after !== null) {
        const page: ItemPage = await list([one], { limit: 4, maxBytes: 100, after });
        read.push(...page.items.map(({ globalSeq }) => globalSeq).reverse());
        pages.push(page.items.length);
        after = page.next;
      }
      expect(read).toEqual(written.map(({ globalSeq }) => globalSeq));
      expect(pages).toEqual([2, 1, 1, 2]);
    });

    test('of unread items contain only items by others after the read mark of each Hub', async () => {
      const unreadIds = async (over: Partial<ItemQuery> = {}) =>
        ids((await list([one, two], { unreadBy: bob, ...over })).items);
      const read = await write(one);
      await markRead(subject.store, { hubId: one, userId: bob, seq: read.seq });
      const unread = await write(one);
      await insertItem(subject.store, newItem(one, bob));
      const gone = await write(one);
      await deleteItem(subject.store, gone.id, 1);
      expect(await unreadIds({ hubIds: [one] })).toEqual([unread.id]);
      expect(await unreadIds({ hubIds: [one], after: read.id })).toEqual([unread.id]);
      expect(await unreadIds({ hubIds: [one], after: unread.id })).toEqual([]);
      const elsewhere = await write(two);
      expect(await unreadIds()).toEqual([elsewhere.id, unread.id]);
      const note = await write(one, { kind: 'note' });
      // Replies that are not addressed to the user are not counted as unread.
      await write(one, { kind: 'reply', parentId: read.id });
      const reply = await write(one, { kind: 'reply', parentId: read.id, body: '@Bob' });
      const all = { kinds: ALL, hubIds: [one] };
      expect(await unreadIds(all)).toEqual([reply.id, note.id, unread.id]);
      await markRead(subject.store, { hubId: one, userId: bob, seq: reply.seq, kind: 'message' });
      for (const after of [undefined, read.id]) expect(await unreadIds({ ...all, after })).toEqual([note.id]);
      expect(await unreadIds({ kinds: ['note'], hubIds: [one] })).toEqual([note.id]);
      await markRead(subject.store, { hubId: one, userId: bob, seq: reply.seq, kind: 'note' });
      expect(await unreadIds(all)).toEqual([]);
    });

    test('of assigned to-dos contain only those assigned to this user in these Hubs', async () => {
      const mine = await write(one, { kind: 'todo', title: 'T', assigneeId: ada });
      const other = await write(two, { kind: 'todo', title: 'T', assigneeId: ada });
      await write(one, { kind: 'todo', title: 'T', assigneeId: bob });
      const assigned = async (over: Partial<ItemQuery>) =>
        ids((await subject.store.items.listAssigned({ ...itemQuery([one, two], over), assigneeId: ada })).items);
      expect(await assigned({})).toEqual([other.id, mine.id]);
      expect(await assigned({ hubIds: [one] })).toEqual([mine.id]);
      expect(await assigned({ limit: 1 })).toEqual([other.id]);
      expect(await assigned({ before: other.id })).toEqual([mine.id]);
      expect(await assigned({ after: mine.id })).toEqual([other.id]);
      expect(await assigned({ status: 'done' })).toEqual([]);
      await deleteItem(subject.store, other.id, 1);
      expect(await assigned({})).toEqual([mine.id]);
    });

    test.each(['older', 'newer'] as const)(
      'continue past any number of items in other Hubs without revealing their ids: %s',
      async (direction) => {
        const assigned = (hubId: string, createdAt: number) =>
          write(hubId, { kind: 'todo', title: 'T', assigneeId: ada, createdAt });
        const first = await assigned(one, 1);
        // More items than one page examines; the last few hundred were created in the same millisecond.
        const foreign = await inGroups(5_600, (n) => assigned(two, 2 + Math.min(n, 5_300)));
        const last = await assigned(one, 6_000);
        const query = itemQuery([one], { limit: 1 });
        const known = new Set(ids(foreign));
        const read: string[] = [];
        let cursor: string | null = direction === 'older' ? 'item_7ZZZZZZZZZ0000000000000000' : BEFORE_ALL_ITEMS;
        let pages = 0;
        for (; cursor !== null && pages < 20; pages += 1) {
          const towards: Partial<ItemQuery> = direction === 'older' ? { before: cursor } : { after: cursor };
          const page: ItemPage = await subject.store.items.listAssigned({ ...query, ...towards, assigneeId: ada });
          read.push(...ids(page.items));
          expect(known.has(page.next ?? '')).toBe(false);
          cursor = page.next;
        }
        expect(cursor).toBeNull();
        expect(read).toEqual(direction === 'older' ? [last.id, first.id] : [first.id, last.id]);
        expect(pages).toBeGreaterThan(2);
      },
    );

    test('of mentions contain items in these Hubs that mention this user, reflecting edits and deletions', async () => {
      const named = await write(one, { body: 'Hi @Bob' });
      const again = await write(one, { kind: 'note', title: 'For @bob', body: '@Bob' });
      await write(two, { body: '@Bob does not belong here' });
      expect([named.mentions, again.mentions]).toEqual([[bob], [bob]]);
      const mentions = async (hubIds = [one, two]) =>
        ids((await subject.store.items.listMentioning({ userId: bob, hubIds, limit: 10 })).items);
      expect(await mentions()).toEqual([again.id, named.id]);
      expect(await mentions([two])).toEqual([]);
      const page = await subject.store.items.listMentioning({ userId: bob, hubIds: [one], limit: 1 });
      expect([ids(page.items), page.next]).toEqual([[again.id], again.id]);
      await updateItem(subject.store, named.id, { at: 1, userId: null, changes: { body: '@Ada' } });
      expect((await subject.store.items.find(named.id))?.mentions).toEqual([ada]);
      await deleteItem(subject.store, again.id, 1);
      expect(await mentions()).toEqual([]);
    });

    test('by globalSeq contain the items in these Hubs that exist and are not deleted, newest first', async () => {
      const [first, second, foreign] = [await write(one), await write(one), await write(two)];
      const gone = await write(one);
      await deleteItem(subject.store, gone.id, 1);
      const globalSeqs = [first.globalSeq, gone.globalSeq, 999_999, second.globalSeq, foreign.globalSeq];
      expect(await subject.store.items.listByGlobalSeq(globalSeqs, [one])).toEqual([second, first]);
      expect(await subject.store.items.listByGlobalSeq([], [one])).toEqual([]);
    });
  });
}
