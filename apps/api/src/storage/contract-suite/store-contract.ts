import { beforeEach, describe, expect, test } from 'bun:test';
import { type AuditAction, perKind, type WireKind } from '@hub/contract';
import {
  hubRecord,
  itemQuery,
  newItem,
  newKey,
  newPost,
  newUser,
  testAudit,
  testIds,
} from '@hub/testkit/storage/store-records';
import { failure, type OpenStoreUnderTest, storeSubject } from '@hub/testkit/storage/store-subject';
import {
  addUsage,
  inGroups,
  insertHub,
  insertItem,
  insertKey,
  insertMember,
  insertPost,
  insertUser,
  markRead,
} from '@hub/testkit/storage/store-writes';
import type { AuditFilter } from '../audit.ts';
import type { HubRecord } from '../hubs.ts';
import { BEFORE_ALL_ITEMS, type ItemPage, type ItemQuery } from '../item-pages.ts';
import type { ItemRecord, ItemRowKind, NewItem } from '../items.ts';
import { KEYS_PER_SAVE } from '../key-usage.ts';
import type { KeyListing } from '../keys.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = ['message', 'note', 'todo'] as const;
const ALL = ['message', 'reply', 'note', 'todo'] as const;

/**
 * Describes what an adapter of the port promises beyond single requests, whose tests run on both storages: transactions,
 * numbers, counters and lists under load and across restarts. Call it with a function that opens a new, empty store.
 */
export function describeStore(name: string, open: OpenStoreUnderTest): void {
  describe(`the store port on ${name}`, () => {
    describe('posts and transactions', () => describeTransactions(open));
    describe('the usage of keys', () => describeUsage(open));
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

  test('each kind goes into its own container in the Hub and is announced by its own event', async () => {
    expect(await post({ kind: 'message' })).toMatchObject({ seq: 1, conversationId: hub.conversationId });
    expect(await post({ kind: 'note' })).toMatchObject({ seq: 2, notesBucketId: hub.notesBucketId });
    expect(await post({ kind: 'todo' })).toMatchObject({ seq: 3, todosBucketId: hub.todosBucketId });
    expect(await eventNames()).toEqual(['1 message.created', '2 note.created', '3 todo.created']);
    const announced = (await subject.eventsOf(hub.id)).map(({ itemId }) => itemId);
    expect((await subject.itemsOf(hub.id)).map(({ id }) => id)).toEqual(announced as string[]);
  });

  test('sequence numbers start at 1 in each Hub and rise by one, even for simultaneous posts', async () => {
    const otherKey = await insertKey(subject.store, newKey((await insertHub(subject.store)).id));
    const elsewhere = () => insertPost(subject.store, newPost(otherKey));
    const posts = await Promise.all([post(), elsewhere(), post(), elsewhere(), post()]);
    const seqs = (indexes: number[]) => indexes.map((index) => posts[index]?.seq).toSorted();
    expect(seqs([0, 2, 4])).toEqual([1, 2, 3]);
    expect(seqs([1, 3])).toEqual([1, 2]);
  });

  test('sequence numbers have no gap after failed simultaneous writes', async () => {
    const id = testIds('msg');
    const outcomes = await Promise.allSettled([post(), post({ id }), post({ id }), post()]);
    const [first, second, third, fourth] = outcomes.map(({ status }) => status);
    expect([first, fourth]).toEqual(['fulfilled', 'fulfilled']);
    expect([second, third].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await subject.eventsOf(hub.id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect((await subject.itemsOf(hub.id)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
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
    expect(await failure(transaction)).toBeInstanceOf(Error);
    expect(await subject.store.hubs.find(failed.id)).toBeNull();
    expect(await subject.store.hubs.find(hub.id)).toEqual({ ...hub, seq: 0 });
    expect(await eventNames()).toEqual([]);
  });

  test('a transaction that awaits anything but its repositories fails, and leaves no change', async () => {
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

  test('the store keeps everything across a restart', async () => {
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
}

function describeUsage(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  let key: KeyListing;

  beforeEach(async () => {
    key = await insertKey(subject.store, newKey((await insertHub(subject.store)).id));
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

  test('of each day has the same post counts before and after they are saved, and across restarts', async () => {
    const postOn = (day: number) => insertPost(subject.store, newPost(key, { createdAt: day * DAY_MS + 5 }));
    const days = async () => (await subject.store.keys.usageByDay([key.id], 0)).get(key.id);
    const expected = [
      { day: 10, requests: 0, posts: 1, blocks: 0 },
      { day: 11, requests: 0, posts: 2, blocks: 0 },
    ];
    for (const day of [10, 11, 11]) await postOn(day);
    expect(await days()).toEqual(expected);
    await subject.reopen();
    expect(await days()).toEqual(expected);
    await addUsage(subject.store, new Map());
    expect(await days()).toEqual(expected);
    await subject.reopen();
    await postOn(11);
    expect(await days()).toEqual([
      { day: 10, requests: 0, posts: 1, blocks: 0 },
      { day: 11, requests: 0, posts: 3, blocks: 0 },
    ]);
    expect(await subject.store.keys.find(key.id)).toMatchObject({ postCount: 4 });
  });
}

function describeLists(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  let one: string;
  let two: string;
  let ada: string;
  beforeEach(async () => {
    one = (await insertHub(subject.store)).id;
    two = (await insertHub(subject.store)).id;
    ada = (await insertUser(subject.store, newUser({}, [one, two]))).id;
  });
  const write = (hubId: string, over: Partial<NewItem> = {}) => insertItem(subject.store, newItem(hubId, ada, over));
  const list = (hubIds: readonly string[], over: Partial<ItemQuery> = {}) =>
    subject.store.items.list(itemQuery(hubIds, over));
  const ids = (items: readonly ItemRecord[]) => items.map(({ id }) => id);
  const newestFirst = (items: readonly ItemRecord[]) => ids(items).reverse();

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

  test('continue past any number of items in other Hubs, in both directions, without revealing their ids', async () => {
    const assigned = (hubId: string, createdAt: number) =>
      write(hubId, { kind: 'todo', title: 'T', assigneeId: ada, createdAt });
    const first = await assigned(one, 1);
    // More items than one page examines; the last few hundred were created in the same millisecond.
    const foreign = new Set(ids(await inGroups(5_600, (n) => assigned(two, 2 + Math.min(n, 5_300)))));
    const last = await assigned(one, 6_000);
    for (const [direction, start, expected] of [
      ['before', 'item_7ZZZZZZZZZ0000000000000000', [last.id, first.id]],
      ['after', BEFORE_ALL_ITEMS, [first.id, last.id]],
    ] as const) {
      const read: string[] = [];
      let cursor: string | null = start;
      let pages = 0;
      for (; cursor !== null && pages < 20; pages += 1) {
        const query: ItemQuery = itemQuery([one], { limit: 1, [direction]: cursor });
        const page: ItemPage = await subject.store.items.listAssigned({ ...query, assigneeId: ada });
        read.push(...ids(page.items));
        expect(foreign.has(page.next ?? '')).toBe(false);
        cursor = page.next;
      }
      expect([cursor, read]).toEqual([null, [...expected]]);
      expect(pages).toBeGreaterThan(2);
    }
  });
}

function describeMemberships(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  let hub: HubRecord;
  let key: KeyListing;

  beforeEach(async () => {
    hub = await insertHub(subject.store);
    key = await insertKey(subject.store, newKey(hub.id));
  });

  const createUser = () => insertUser(subject.store, newUser());
  const join = async () => {
    const user = await createUser();
    await insertMember(subject.store, hub.id, user.id);
    return user;
  };
  const post = (kind: WireKind = 'message', of = key) =>
    insertPost(subject.store, newPost(of, { kind, id: testIds(kind === 'message' ? 'msg' : kind) }));
  const write = (authorId: string, kind: ItemRowKind = 'message', over: Partial<NewItem> = {}) =>
    insertItem(subject.store, newItem(hub.id, authorId, { kind, createdAt: 1, ...over }));
  const unread = async (userId: string, limit = 100) => {
    const membership = await subject.store.memberships.find(hub.id, userId);
    if (!membership) return null;
    const { message, note, todo } = await subject.store.memberships.countUnread(membership, limit);
    return Math.min(message + note + todo, limit);
  };

  test('adding a user twice at the same time creates one membership and one event', async () => {
    const { id } = await createUser();
    const add = () => insertMember(subject.store, hub.id, id);
    const [one, other] = await Promise.all([add(), add()]);
    expect(one).toEqual(other);
    expect(await subject.store.memberships.find(hub.id, id)).toEqual(one);
    expect((await subject.eventsOf(hub.id)).map(({ seq, event }) => `${seq} ${event}`)).toEqual(['1 member.added']);
  });

  test('a read mark moves forward only, and not beyond the newest event', async () => {
    const user = await join();
    for (let n = 0; n < 3; n += 1) await post();
    const mark = (seq: number) => markRead(subject.store, { hubId: hub.id, userId: user.id, seq });
    expect(await mark(3)).toMatchObject({ readSeqs: perKind(() => 3) });
    expect(await mark(2)).toMatchObject({ readSeqs: perKind(() => 3) });
    expect(await mark(0)).toMatchObject({ readSeqs: perKind(() => 3) });
    expect(await unread(user.id)).toBe(1);
    expect(await mark(1_000)).toMatchObject({ readSeqs: perKind(() => 4) });
    expect(await unread(user.id)).toBe(0);
    await post();
    expect(await unread(user.id)).toBe(1);
  });

  test('a read mark leaves exactly the later items unread, at any sequence number', async () => {
    const [walker, jumper, reader] = [await join(), await join(), await join()];
    const other = await insertHub(subject.store);
    const otherKey = await insertKey(subject.store, newKey(other.id));
    const [first] = [await write('usr_other')];
    const event = { hubId: hub.id, event: 'hub.changed', itemId: null, data: {} };
    for (let n = 0; n < 40; n += 1) {
      await post(KINDS[(n * 7) % 3]);
      if (n % 3 === 0) await post('message', otherKey);
      if (n % 4 === 0) await subject.store.transaction(({ events }) => events.append({ ...event, at: n }));
      if (n % 5 === 0) await write('usr_other', 'reply', { parentId: first?.id ?? null });
    }
    const counted = (await subject.itemsOf(hub.id)).filter(({ kind }) => kind !== 'reply');
    const newest = (await subject.eventsOf(hub.id)).at(-1)?.seq ?? 0;
    const unreadAfter = async (userId: string, seq: number) => {
      await markRead(subject.store, { hubId: hub.id, userId, seq });
      return `${seq}: ${await unread(userId)}`;
    };
    const expected = (seq: number) => `${seq}: ${counted.filter((item) => item.seq > seq).length}`;
    for (let seq = 2; seq <= newest; seq += 1) expect(await unreadAfter(walker.id, seq)).toBe(expected(seq));
    for (const seq of [9, 10, 31, 50, newest - 1]) expect(await unreadAfter(jumper.id, seq)).toBe(expected(seq));
    for (const seq of [10, 31, newest - 1]) {
      for (const kind of KINDS) {
        const mark = await markRead(subject.store, { hubId: hub.id, userId: reader.id, seq, kind });
        const left = counted.filter((item) => item.kind === kind && item.seq > seq).length;
        expect((await subject.store.memberships.countUnread(mark, 100))[kind]).toBe(left);
      }
    }
  });
}

function describeAudit(open: OpenStoreUnderTest): void {
  const subject = storeSubject(open);
  const note = async (action: AuditAction, actorId: string | null, hubId: string | null = null) => {
    const actor = { kind: 'user' as const, id: actorId, name: 'Ada' };
    const entry = testAudit({ action, actor, hubId });
    await subject.store.transaction(({ audit }) => audit.insert(entry));
    return entry.id;
  };
  const found = async (filter: AuditFilter & { limit?: number; before?: string }) => {
    const { entries, next } = await subject.store.audit.search({ limit: 10, ...filter });
    return { ids: entries.map(({ id }) => id), next };
  };

  test('examines a limited number of entries per page, and continues after them on the next page', async () => {
    const rare = await note('key.revoked', 'usr_a', 'hub_1');
    await inGroups(5_000, () => note('key.issued', 'usr_b', 'hub_1'));
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
