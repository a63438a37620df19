import type { PerKind } from '@hub/contract';
import { and, asc, desc, eq, gt, gte, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { hubIdOfItem, hubNumber } from '../columns.ts';
import type { ItemQuery, ItemReads, ItemRecord, ItemRowKind } from '../item-store.ts';
import { mentions } from '../schema/item-details.table.ts';
import { items } from '../schema/items.table.ts';
import { memberships } from '../schema/users.table.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { AFTER_ALL_RANKS, itemPages, type PageOfLists } from './item-pages.ts';
import { selectItems, toItemRecord } from './items.ts';
import type { Direction, ListedRow, SortedList } from './merge-lists.ts';

type ItemLists = Omit<ItemReads, 'find' | 'findOrigin'>;
/** A synchronous version of a port, which `reading` makes asynchronous. */
type Synchronous<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => Promise<infer Result> ? (...args: Args) => Result : never;
};

export function itemListReads(db: Db): Synchronous<ItemLists> {
  const hubOf = prepared(db, () =>
    db
      .select({ hubId: hubIdOfItem })
      .from(items)
      .where(eq(items.id, sql.placeholder('id'))),
  );
  const byRank = prepared(db, () =>
    selectItems(db).where(sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))`),
  );
  const marksOf = prepared(db, () =>
    db
      .select({
        hubId: memberships.hubId,
        message: memberships.messageReadRank,
        note: memberships.noteReadRank,
        todo: memberships.todoReadRank,
      })
      .from(memberships)
      .where(eq(memberships.userId, sql.placeholder('userId'))),
  );
  const unreadAmong = prepared(db, () =>
    db
      .select({ id: mentions.itemId })
      .from(mentions)
      .where(
        sql`${mentions.userId} = ${sql.placeholder('userId')} and ${mentions.isUnread}
        and ${mentions.itemRank} in (select value from json_each(${sql.placeholder('ranks')}))`,
      ),
  );
  const unreadMention = prepared(db, () =>
    db
      .select({ isUnread: mentions.isUnread })
      .from(mentions)
      .where(and(eq(mentions.userId, sql.placeholder('userId')), eq(mentions.itemRank, sql.placeholder('rank')))),
  );
  const isUnreadMention = (userId: string, rank: number) => unreadMention.get({ userId, rank })?.isUnread === true;
  const lists = sortedLists(db);

  const records = (ranks: readonly number[]): ItemRecord[] =>
    byRank
      .all({ ranks: JSON.stringify(ranks) })
      .sort((one, other) => other.rank - one.rank)
      .map(toItemRecord);

  const page = itemPages(db, records);
  /** All statements for a page read the same snapshot of the database, so that its items and its `seq` match. */
  const atOneInstant = <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    db.$client.transaction(read) as unknown as (...args: Args) => Result;

  const floorsOf = (hubIds: readonly string[], userId: string | undefined) => {
    if (userId === undefined) return hubIds.map((id) => ({ id }));
    const marks = new Map(marksOf.all({ userId }).map(({ hubId, ...ranks }) => [hubId, ranks]));
    return hubIds.map((id) => ({ id, floors: marks.get(id) }));
  };

  return {
    list: atOneInstant((query: ItemQuery) =>
      page({
        ...query,
        lists: (position) => lists.ofHubs(floorsOf(query.hubIds, query.unreadBy), query.kinds, position),
        matches: filterOf(query, isUnreadMention),
      }),
    ),
    listReplies: atOneInstant((query) => {
      const hubId = hubOf.get({ id: query.parentId })?.hubId;
      return page({
        ...query,
        hubIds: hubId === undefined ? [] : [hubId],
        lists: ({ direction }) => lists.repliesTo(query.parentId, direction),
      });
    }),
    listDeleted: atOneInstant(({ hubId, userId, since, ...query }) =>
      page({ ...query, hubIds: [hubId], lists: () => lists.deletedIn({ hubId, userId, since }) }),
    ),
    listAssigned: atOneInstant((query) => {
      const readable = new Set(query.hubIds);
      const matches = filterOf(query, isUnreadMention);
      return page({
        ...query,
        lists: ({ direction }) => lists.assignedTo(query.assigneeId, direction),
        matches: (row) => readable.has(row.hubId) && (matches?.(row) ?? true),
        mayBeNamed: (row) => readable.has(row.hubId),
      });
    }),
    listMentioning: atOneInstant((query) => {
      const readable = new Set(query.hubIds);
      const { userId } = query;
      const found = page({
        ...query,
        lists: () => lists.mentioning(userId),
        // Users who mention themselves are among the item's mentions, but the item is not addressed to them.
        matches: ({ hubId, authorId, deletedAt }) => deletedAt === null && authorId !== userId && readable.has(hubId),
        mayBeNamed: ({ hubId }) => readable.has(hubId),
      });
      const ranks = JSON.stringify(found.items.map(({ rank }) => rank));
      const unread = new Set(unreadAmong.all({ userId, ranks }).map(({ id }) => id));
      return { ...found, unreadIds: found.items.map(({ id }) => id).filter((id) => unread.has(id)) };
    }),
    countAssigned: assignedCounts(db),
    listByRank: (ranks, hubIds) => {
      const readable = new Set(hubIds);
      return records(ranks).filter((item) => item.deletedAt === null && readable.has(item.hubId));
    },
  };
}

/** Returns `undefined` if the query accepts every row of its lists. */
function filterOf(
  { keyId, authorId, status, assigneeId, unreadBy }: ItemQuery,
  isUnreadMention: (userId: string, rank: number) => boolean,
): PageOfLists['matches'] {
  const conditions: ((row: ListedRow) => boolean)[] = [];
  if (keyId !== undefined) conditions.push((row) => row.keyId === keyId);
  if (authorId !== undefined) conditions.push((row) => row.authorId === authorId);
  if (status !== undefined) conditions.push((row) => row.status === status);
  if (assigneeId !== undefined) conditions.push((row) => row.assigneeId === assigneeId);
  // Your own items are never unread, and neither are deleted ones or replies that are not addressed to you.
  if (unreadBy !== undefined) {
    conditions.push((row) => row.authorId !== unreadBy && row.deletedAt === null);
    conditions.push((row) => row.kind !== 'reply' || isUnreadMention(unreadBy, row.rank));
  }
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row));
}

const columns = {
  rank: items.rank,
  hubId: hubIdOfItem,
  kind: items.kind,
  keyId: items.keyId,
  authorId: items.authorId,
  status: items.status,
  assigneeId: items.assigneeId,
  deletedAt: items.deletedAt,
};

/** Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index. */
const isListed = or(isNull(items.deletedAt), sql`${items.replyCount} > 0`);

const userId = sql.placeholder('userId');
/** Accepts the items that a user wrote or deleted; for `null`, all. */
const ofUser = sql`(${userId} is null or ${items.authorId} = ${userId} or ${items.deletedById} = ${userId})`;

type Read = (from: number, limit: number) => ListedRow[];

/**
 * The sorted lists from which all others are merged. Each is read from an index, starting at any rank, in either
 * direction.
 */
function sortedLists(db: Db) {
  const select = (filter: SQL | undefined, direction: Direction) =>
    prepared(db, () =>
      db
        .select(columns)
        .from(items)
        .where(
          and(
            filter,
            direction === 'older' ? lt(items.rank, sql.placeholder('from')) : gt(items.rank, sql.placeholder('from')),
          ),
        )
        .orderBy(direction === 'older' ? desc(items.rank) : asc(items.rank))
        .limit(sql.placeholder('limit')),
    );
  const both = (filter: SQL | undefined) => ({ older: select(filter, 'older'), newer: select(filter, 'newer') });

  const isOfList = and(eq(items.hubNumber, hubNumber), eq(items.kind, sql.placeholder('kind')), isListed);
  const ofHub = {
    older: select(and(isOfList, gt(items.rank, sql.placeholder('floor'))), 'older'),
    // No second lower bound here: SQLite might start reading at that bound instead of at the first.
    newer: select(isOfList, 'newer'),
  };
  const replies = both(and(eq(items.parentId, sql.placeholder('parentId')), isNull(items.deletedAt)));
  const assigned = both(and(eq(items.assigneeId, sql.placeholder('assigneeId')), isNull(items.deletedAt)));
  // Must begin with the condition of the index `items_deleted_by_hub`, or SQLite does not use the index.
  const deleted = select(
    and(
      eq(items.hubNumber, hubNumber),
      sql`${items.deletedAt} is not null and ${items.removalId} is null`,
      gte(items.deletedAt, sql.placeholder('since')),
      ofUser,
    ),
    'older',
  );
  const mentioning = prepared(db, () =>
    db
      .select(columns)
      .from(mentions)
      .innerJoin(items, eq(items.rank, mentions.itemRank))
      .where(and(eq(mentions.userId, sql.placeholder('userId')), lt(mentions.itemRank, sql.placeholder('from'))))
      .orderBy(desc(mentions.itemRank))
      .limit(sql.placeholder('limit')),
  );
  const heads = { older: prepareHeads(db, 'older'), newer: prepareHeads(db, 'newer') };

  const single = (read: Read, direction: Direction): SortedList[] => [
    { next: direction === 'older' ? AFTER_ALL_RANKS : 0, read },
  ];

  return {
    /** Returns a list, with its first rank, for each Hub and kind with items. */
    ofHubs: (
      hubs: readonly { id: string; floors?: PerKind<number> | undefined }[],
      kinds: readonly ItemRowKind[],
      { direction, from }: { direction: Direction; from: number },
    ): SortedList[] => {
      const read = (hubId: string, kind: ItemRowKind, floor: number): Read => {
        if (direction === 'older') return (from, limit) => ofHub.older.all({ hubId, kind, floor, from, limit });
        return (from, limit) => ofHub.newer.all({ hubId, kind, from: Math.max(from, floor), limit });
      };
      const [hub, kind] = [hubs[0], kinds[0]];
      if (hub && kind && hubs.length === 1 && kinds.length === 1) {
        return single(read(hub.id, kind, floorOf(kind, hub.floors)), direction);
      }
      const floors = new Map(hubs.map((each) => [each.id, each.floors]));
      return heads[direction]
        .all({ hubIds: JSON.stringify([...floors.keys()]), kinds: JSON.stringify(kinds), from })
        .flatMap(({ hubId, kind: kindOfList, rank }) => {
          const floor = floorOf(kindOfList, floors.get(hubId));
          if (rank === null || (direction === 'older' && rank <= floor)) return [];
          return [{ next: rank, read: read(hubId, kindOfList, floor) }];
        });
    },
    repliesTo: (parentId: string, direction: Direction): SortedList[] =>
      single((from, limit) => replies[direction].all({ parentId, from, limit }), direction),
    assignedTo: (assigneeId: string, direction: Direction): SortedList[] =>
      single((from, limit) => assigned[direction].all({ assigneeId, from, limit }), direction),
    deletedIn: (query: { hubId: string; userId: string | null; since: number }): SortedList[] =>
      single((from, limit) => deleted.all({ ...query, from, limit }), 'older'),
    mentioning: (userId: string): SortedList[] =>
      single((from, limit) => mentioning.all({ userId, from, limit }), 'older'),
  };
}

/** Returns the rank after which a list is read. Replies use the read mark for messages. */
function floorOf(kind: ItemRowKind, floors: PerKind<number> | undefined): number {
  return floors?.[kind === 'reply' ? 'message' : kind] ?? 0;
}

/** Reads the first rank of each list of each Hub in one statement, with one index look-up per list. */
function prepareHeads(db: Db, direction: Direction) {
  const end = direction === 'older' ? sql`max(${items.rank})` : sql`min(${items.rank})`;
  const side = direction === 'older' ? sql`<` : sql`>`;
  return prepared(db, () =>
    db
      .select({
        hubId: sql<string>`hubs.id`,
        kind: sql<ItemRowKind>`kind.value`,
        rank: sql<number | null>`(select ${end} from ${items} where ${items.hubNumber} = hubs.number
        and ${items.kind} = kind.value and ${items.rank} ${side} ${sql.placeholder('from')} and (${isListed}))`,
      })
      .from(
        // `cross join` keeps this order, so that each Hub is looked up once, and not once per kind.
        sql`json_each(${sql.placeholder('hubIds')}) as wanted cross join hubs on hubs.id = wanted.value
        cross join json_each(${sql.placeholder('kinds')}) as kind`,
      ),
  );
}

/** Maximum number of a user's to-dos examined, newest first. Limited because most may be completed. */
const MAX_COUNTED = 5_000;

/** Counts a user's open to-dos in each Hub. Counts in code, because SQLite would sort all of them first. */
function assignedCounts(db: Db) {
  const newest = prepared(db, () =>
    db
      .select({ hubId: hubIdOfItem, status: items.status })
      .from(items)
      .where(and(eq(items.assigneeId, sql.placeholder('userId')), isNull(items.deletedAt)))
      .orderBy(desc(items.rank))
      .limit(MAX_COUNTED),
  );
  return (userId: string): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const { hubId, status } of newest.all({ userId })) {
      if (status === 'open') counts.set(hubId, (counts.get(hubId) ?? 0) + 1);
    }
    return counts;
  };
}
