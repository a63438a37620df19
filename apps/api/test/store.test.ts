import { describe, expect, test } from 'bun:test';
import type { AuditAction, WireKind } from '@hub/contract';
import { failureOf } from '@hub/testkit/concurrency';
import { perTest } from '@hub/testkit/in-process/shared';
import { isOnPostgres } from '@hub/testkit/in-process/test-storage';
import type { AuditFilter } from '../src/storage/audit.ts';
import type { HubRecord } from '../src/storage/hubs.ts';
import { BEFORE_ALL_ITEMS, type ItemPage, type ItemQuery } from '../src/storage/item-pages.ts';
import type { ItemRecord, ItemRowKind, NewItem } from '../src/storage/items.ts';
import type { MembershipRecord } from '../src/storage/memberships.ts';
import { hubRecord, itemQuery, newItem, newKey, newPost, newUser, testAudit, testIds } from './store/records.ts';
import { openPostgresUnderTest, openSqliteUnderTest } from './store/under-test.ts';
import {
  addUsage,
  insertHub,
  insertItem,
  insertKey,
  insertMember,
  insertPost,
  insertUser,
  markRead,
} from './store/writes.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = ['message', 'note', 'todo'] as const;
const ALL = ['message', 'reply', 'note', 'todo'] as const;

/** Opens an empty store for each test. Its promises go beyond single requests, and hold on both databases. */
const storeSubject = () => perTest(async () => (isOnPostgres ? await openPostgresUnderTest() : openSqliteUnderTest()));

describe('posts and transactions', () => {
  const subject = storeSubject();
  const hub = perTest(() => insertHub(subject.store));
  const key = perTest(() => insertKey(subject.store, newKey(hub.id)));
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
    expect((await subject.store.keys.find(key.id))?.postCount).toBe(3);
  });

  test('a transaction that fails after its changes leaves none of them', async () => {
    const failed = hubRecord();
    // Its id is taken. A change writes its audit entry last.
    const entry = testAudit();
    await subject.store.transaction(({ audit }) => audit.insert(entry));
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
    expect(await subject.store.keys.find(key.id)).toEqual({ ...key });
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
});

describe('the audit log', () => {
  const subject = storeSubject();
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

  test('lists each entry on one page, newest first', async () => {
    const written: string[] = [];
    for (let n = 0; n < 3; n += 1) written.unshift(await note('key.issued', 'usr_a', 'hub_2'));
    const { ids, next } = await found({ hubId: 'hub_2', limit: 2 });
    const rest = await found({ hubId: 'hub_2', limit: 2, before: next ?? '' });
    expect([...ids, ...rest.ids]).toEqual(written);
  });

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
});

describe('lists of items', () => {
  const subject = storeSubject();
  const [one, two] = [perTest(() => insertHub(subject.store)), perTest(() => insertHub(subject.store))];
  const ada = perTest(() => insertUser(subject.store, newUser({}, [one.id, two.id])));
  const write = (over: Partial<NewItem> = {}) => insertItem(subject.store, newItem(one.id, ada.id, over));
  const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id);
  const list = (hubs: readonly HubRecord[], over: Partial<ItemQuery> = {}) =>
    subject.store.items.list(itemQuery(ids(hubs), over));

  test('exactly match the sequence numbers that they state, even during other writes', async () => {
    let isWriting = true;
    // Created one by one, so that each has its own commit.
    const writing = (async () => {
      for (let n = 0; n < 300; n += 1) await write();
      isWriting = false;
    })();
    const pages: number[] = [];
    while (isWriting) {
      const { items, seqs } = await list([one, two], { limit: 1, kinds: ALL });
      if (items[0]) expect(items[0].seq).toBe(seqs[one.id] ?? 0);
      pages.push(items.length);
      await new Promise(setImmediate);
    }
    await writing;
    expect(pages.length).toBeGreaterThan(1);
    // Seven of the eight lists are empty.
    expect((await list([one, two], { limit: 1, kinds: ALL })).items).toHaveLength(1);
  });

  test('end a page at the maximum size, but after at least one item, and continue from there', async () => {
    const written: ItemRecord[] = [];
    for (const length of [10, 10, 500, 90, 20, 1]) written.push(await write({ body: 'é'.repeat(length / 2) }));
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
    const todoOf = (hubId: string, createdAt: number) =>
      newItem(hubId, ada.id, { kind: 'todo', title: 'T', assigneeId: ada.id, createdAt });
    const first = await insertItem(subject.store, todoOf(one.id, 1));
    // More items than one page examines; the last few hundred were created in the same millisecond.
    // Without their events, which no list reads.
    const foreign = Array.from({ length: 5_600 }, (_, n) => todoOf(two.id, 2 + Math.min(n, 5_300)));
    await subject.store.transaction(async ({ items }) => {
      for (const [n, item] of foreign.entries()) await items.insert({ ...item, files: null, seq: n + 1_000 });
    });
    const last = await insertItem(subject.store, todoOf(one.id, 6_000));
    for (const [direction, start, expected] of [
      ['before', 'item_7ZZZZZZZZZ0000000000000000', [last.id, first.id]],
      ['after', BEFORE_ALL_ITEMS, [first.id, last.id]],
    ] as const) {
      const read: string[] = [];
      let cursor: string | null = start;
      let pages = 0;
      for (; cursor !== null && pages < 20; pages += 1) {
        const query: ItemQuery = itemQuery([one.id], { limit: 1, [direction]: cursor });
        const page: ItemPage = await subject.store.items.listAssigned({ ...query, assigneeId: ada.id });
        read.push(...ids(page.items));
        expect(foreign.some(({ id }) => id === page.next)).toBe(false);
        cursor = page.next;
      }
      expect([cursor, read]).toEqual([null, [...expected]]);
      expect(pages).toBeGreaterThan(2);
    }
  });
});

describe('memberships', () => {
  const subject = storeSubject();
  const hub = perTest(() => insertHub(subject.store));
  const key = perTest(() => insertKey(subject.store, newKey(hub.id)));
  const join = async () => {
    const user = await insertUser(subject.store, newUser());
    await insertMember(subject.store, hub.id, user.id);
    return user;
  };
  const post = (kind: WireKind = 'message', of = key) =>
    insertPost(subject.store, newPost(of, { kind, id: testIds(kind === 'message' ? 'msg' : kind) }));
  const write = (authorId: string, kind: ItemRowKind = 'message', over: Partial<NewItem> = {}) =>
    insertItem(subject.store, newItem(hub.id, authorId, { kind, createdAt: 1, ...over }));
  const counted = (membership: MembershipRecord) =>
    subject.store.memberships.countUnread(membership, { mutedKeyIds: [], limit: 100 });

  test('a read mark leaves exactly the later items unread, at any sequence number', async () => {
    const [walker, jumper, reader] = [await join(), await join(), await join()];
    const other = await insertHub(subject.store);
    const otherKey = await insertKey(subject.store, newKey(other.id));
    const parentId = (await write('usr_other')).id;
    const event = { hubId: hub.id, event: 'hub.changed', itemId: null, data: {} };
    for (let n = 0; n < 40; n += 1) {
      await post(KINDS[(n * 7) % 3]);
      if (n % 3 === 0) await post('message', otherKey);
      if (n % 4 === 0) await subject.store.transaction(({ events }) => events.append({ ...event, at: n }));
      if (n % 5 === 0) await write('usr_other', 'reply', { parentId });
    }
    const items = (await subject.itemsOf(hub.id)).filter(({ kind }) => kind !== 'reply');
    const newest = (await subject.eventsOf(hub.id)).at(-1)?.seq ?? 0;
    const unreadAfter = async (userId: string, seq: number) => {
      const { message, note, todo } = await counted(await markRead(subject.store, { hubId: hub.id, userId, seq }));
      return `${seq}: ${message + note + todo}`;
    };
    const expected = (seq: number) => `${seq}: ${items.filter((item) => item.seq > seq).length}`;
    for (let seq = 2; seq <= newest; seq += 1) expect(await unreadAfter(walker.id, seq)).toBe(expected(seq));
    for (const seq of [9, 10, 31, 50, newest - 1]) expect(await unreadAfter(jumper.id, seq)).toBe(expected(seq));
    for (const seq of [10, 31, newest - 1]) {
      for (const kind of KINDS) {
        const mark = await markRead(subject.store, { hubId: hub.id, userId: reader.id, seq, kind });
        const left = items.filter((item) => item.kind === kind && item.seq > seq).length;
        expect((await counted(mark))[kind]).toBe(left);
      }
    }
  });
});
