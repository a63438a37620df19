import { beforeEach, describe, expect, test } from 'bun:test';
import { idTime } from '../ids.ts';
import { itemQuery, newItem } from '../testing/item-records.ts';
import { hubRecord, newKey, newPost, testAudit, testIds } from '../testing/store-records.ts';
import { type OpenStoreUnderTest, storeSubject } from '../testing/store-subject.ts';
import { newUser } from '../testing/users-records.ts';
import { BEFORE_ALL_ITEMS, type ItemPage, type ItemQuery, type ItemRecord, type NewItem } from './item-store.ts';

const ALL = ['message', 'reply', 'note', 'todo'] as const;

/** What every adapter promises of the lists of items. Run it from a test file of the adapter. */
export function describeItemLists(name: string, open: OpenStoreUnderTest): void {
  describe(`lists of items in the store on ${name}`, () => {
    const subject = storeSubject(open);
    let one: string;
    let two: string;
    let ada: string;
    let bob: string;
    beforeEach(async () => {
      one = (await subject.store.hubs.create(hubRecord(), testAudit())).id;
      two = (await subject.store.hubs.create(hubRecord(), testAudit())).id;
      ada = (await subject.users.create(newUser({}, [one, two]))).id;
      bob = (await subject.users.create(newUser({ name: 'Bob' }, [one]))).id;
    });
    const write = (hubId: string, over: Partial<NewItem> = {}) => subject.store.items.create(newItem(hubId, ada, over));
    const list = (hubIds: readonly string[], over: Partial<ItemQuery> = {}) =>
      subject.store.items.list(itemQuery(hubIds, over));
    const ids = (items: readonly ItemRecord[]) => items.map(({ id }) => id);
    const newestFirst = (items: readonly ItemRecord[]) => ids(items).reverse();

    test('merge the Hubs and kinds that are asked for, in the order of commit, and no others', async () => {
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

    test('reflect the numbers of their Hubs', async () => {
      await write(one);
      const { seqs, epoch } = await list([one, two]);
      expect(seqs).toEqual({ [one]: 3, [two]: 1 });
      expect(epoch).toBe((await subject.store.workspace()).epoch);
    });

    test('reflect exactly their numbers also while others write', async () => {
      let isWriting = true;
      // One after the other, so that each is a commit of its own.
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

    test('come in pages of any size, in both directions, whole', async () => {
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

    test('end before what their items say is too much, but with one item at least, and go on from there', async () => {
      const written: ItemRecord[] = [];
      for (const length of [10, 10, 500, 90, 20, 1]) written.push(await write(one, { body: 'é'.repeat(length / 2) }));
      const read: number[] = [];
      let after: string | null = BEFORE_ALL_ITEMS;
      const pages: number[] = [];
      while (after !== null) {
        const page: ItemPage = await list([one], { limit: 4, maxBytes: 100, after });
        read.push(...page.items.map(({ rank }) => rank).reverse());
        pages.push(page.items.length);
        after = page.next;
      }
      expect(read).toEqual(written.map(({ rank }) => rank));
      expect(pages).toEqual([2, 1, 1, 2]);
    });

    test('pass over what a filter does not let through', async () => {
      const key = await subject.store.keys.issue(newKey(one));
      await subject.store.posts.create(newPost(key));
      const done = await write(one, { kind: 'todo', title: 'done', assigneeId: ada });
      await subject.store.items.change({ itemId: done.id, at: 1, personId: ada, changes: { status: 'done' } });
      await subject.store.items.create(newItem(one, bob, { kind: 'todo', title: 'open', assigneeId: bob }));
      await write(one, { kind: 'todo', title: 'free' });
      const count = async (over: Partial<ItemQuery>) => (await list([one, two], { kinds: ALL, ...over })).items.length;
      expect(await count({})).toBe(4);
      expect(await count({ keyId: key.id })).toBe(1);
      expect(await count({ authorId: bob })).toBe(1);
      expect(await count({ status: 'done' })).toBe(1);
      expect(await count({ status: 'open', assigneeId: null })).toBe(1);
      expect(await count({ kinds: ['todo'], assigneeId: null })).toBe(1);
      expect(await count({ assigneeId: bob })).toBe(1);
    });

    test('know what is unread: of others, behind the mark of each Hub', async () => {
      const news = async (over: Partial<ItemQuery> = {}) =>
        ids((await list([one, two], { unreadBy: bob, ...over })).items);
      const read = await write(one);
      await subject.store.memberships.markRead({ hubId: one, personId: bob, seq: read.seq });
      const unread = await write(one);
      await subject.store.items.create(newItem(one, bob));
      const gone = await write(one);
      await subject.store.items.delete({ itemId: gone.id, at: 1, audit: testAudit() });
      expect(await news({ hubIds: [one] })).toEqual([unread.id]);
      expect(await news({ hubIds: [one], after: read.id })).toEqual([unread.id]);
      expect(await news({ hubIds: [one], after: unread.id })).toEqual([]);
      const elsewhere = await write(two);
      expect(await news()).toEqual([elsewhere.id, unread.id]);
      const note = await write(one, { kind: 'note' });
      const reply = await write(one, { kind: 'reply', parentId: read.id });
      const all = { kinds: ALL, hubIds: [one] };
      expect(await news(all)).toEqual([reply.id, note.id, unread.id]);
      await subject.store.memberships.markRead({ hubId: one, personId: bob, seq: reply.seq, kind: 'message' });
      for (const after of [undefined, read.id]) expect(await news({ ...all, after })).toEqual([note.id]);
      expect(await news({ kinds: ['note'], hubIds: [one] })).toEqual([note.id]);
      await subject.store.memberships.markRead({ hubId: one, personId: bob, seq: reply.seq, kind: 'note' });
      expect(await news(all)).toEqual([]);
    });

    test('of what is assigned hold what these Hubs have for this person', async () => {
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
      await subject.store.items.delete({ itemId: other.id, at: 1, audit: testAudit() });
      expect(await assigned({})).toEqual([mine.id]);
    });

    test.each(['older', 'newer'] as const)(
      'are read to their end over any number of foreign items, of which they name none: %s',
      async (direction) => {
        const assigned = (hubId: string, createdAt: number) =>
          write(hubId, { kind: 'todo', title: 'T', assigneeId: ada, createdAt });
        const first = await assigned(one, 1);
        // More than are looked at for one page; the last half of them in the same millisecond.
        const foreign = await Promise.all(
          Array.from({ length: 5_600 }, (_, n) => assigned(two, 2 + Math.min(n, 5_300))),
        );
        const last = await assigned(one, 6_000);
        const query = itemQuery([one], { limit: 1 });
        const known = new Set(ids(foreign));
        const read: string[] = [];
        let place: string | null = direction === 'older' ? 'item_7ZZZZZZZZZ0000000000000000' : BEFORE_ALL_ITEMS;
        let pages = 0;
        for (; place !== null && pages < 20; pages += 1) {
          const towards: Partial<ItemQuery> = direction === 'older' ? { before: place } : { after: place };
          const page: ItemPage = await subject.store.items.listAssigned({ ...query, ...towards, assigneeId: ada });
          read.push(...ids(page.items));
          expect(known.has(page.next ?? '')).toBe(false);
          place = page.next;
        }
        expect(place).toBeNull();
        expect(read).toEqual(direction === 'older' ? [last.id, first.id] : [first.id, last.id]);
        expect(pages).toBeGreaterThan(2);
      },
    );

    test('of mentions hold what names this person in these Hubs, and follow edits and deletions', async () => {
      const named = await write(one, { body: 'Hi @Bob' });
      const again = await write(one, { kind: 'note', title: 'For @bob', body: '@Bob' });
      await write(two, { body: '@Bob does not belong here' });
      expect([named.mentions, again.mentions]).toEqual([[bob], [bob]]);
      const mentions = async (hubIds = [one, two]) =>
        ids((await subject.store.items.listMentioning({ personId: bob, hubIds, limit: 10 })).items);
      expect(await mentions()).toEqual([again.id, named.id]);
      expect(await mentions([two])).toEqual([]);
      const page = await subject.store.items.listMentioning({ personId: bob, hubIds: [one], limit: 1 });
      expect([ids(page.items), page.next]).toEqual([[again.id], again.id]);
      await subject.store.items.change({ itemId: named.id, at: 1, personId: null, changes: { body: '@Ada' } });
      expect((await subject.store.items.find(named.id))?.mentions).toEqual([ada]);
      await subject.store.items.delete({ itemId: again.id, at: 1, audit: testAudit() });
      expect(await mentions()).toEqual([]);
    });

    test('of ranks hold what is there, not deleted and in these Hubs, newest first', async () => {
      const [first, second, foreign] = [await write(one), await write(one), await write(two)];
      const gone = await write(one);
      await subject.store.items.delete({ itemId: gone.id, at: 1, audit: testAudit() });
      const ranks = [first.rank, gone.rank, 999_999, second.rank, foreign.rank];
      expect(await subject.store.items.listByRank(ranks, [one])).toEqual([second, first]);
      expect(await subject.store.items.listByRank([], [one])).toEqual([]);
    });

    test('go on behind an item that was erased, also among others of the same millisecond', async () => {
      const createdAt = idTime(testIds('note'));
      const [first, second] = [await write(one, { createdAt }), await write(one, { createdAt })];
      const erased = testIds('note');
      const [third, fourth] = [await write(one, { createdAt }), await write(one, { createdAt })];
      expect(ids((await list([one], { after: erased })).items)).toEqual(ids([fourth, third]));
      expect(ids((await list([one], { before: erased })).items)).toEqual(ids([second, first]));
    });

    test('begin where the time of an id is, if no item of these Hubs has it', async () => {
      const old = await write(one, { createdAt: 1_000 });
      const foreign = await write(two, { createdAt: 2_000 });
      const recent = await write(one, { createdAt: 3_000 });
      // 1,500 ms since 1970, in base 32.
      const erased = 'msg_00000001EW0000000000000000';
      expect(ids((await list([one], { before: erased })).items)).toEqual([old.id]);
      expect(ids((await list([one], { after: erased })).items)).toEqual([recent.id]);
      // What stands in a Hub that is not asked for says no more than its own id does.
      const byId = await list([one], { before: foreign.id });
      const byTime = await list([one], { before: foreign.id.replace(/.{16}$/, '0'.repeat(16)) });
      expect(ids(byId.items)).toEqual(ids(byTime.items));
    });
  });
}
