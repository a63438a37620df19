import { and, asc, desc, eq, gt, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { ItemPage, ItemQuery, ItemReads, ItemRecord, ItemRowKind } from '../item-store.ts';
import type { Connection, ReadConnection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { hubIdOfItem, hubNumber } from './hubs.ts';
import { type Direction, type ListedRow, type PageOfList, readItemPage } from './item-pages.ts';
import { selectItems, toItemRecord } from './items.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

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

const hubOf = statement(
  build
    .select({ hubId: hubIdOfItem })
    .from(items)
    .where(eq(items.id, sql.placeholder('id'))),
);
const byRank = statement(
  selectItems()
    .where(sql`${items.rank} = any(${sql.placeholder('ranks')}::bigint[])`)
    .orderBy(desc(items.rank)),
);
const marksOf = statement(
  build
    .select({
      hubId: memberships.hubId,
      message: memberships.messageReadRank,
      note: memberships.noteReadRank,
      todo: memberships.todoReadRank,
    })
    .from(memberships)
    .where(eq(memberships.userId, sql.placeholder('userId'))),
);
const unreadAmong = statement(
  build
    .select({ id: mentions.itemId })
    .from(mentions)
    .where(
      and(
        eq(mentions.userId, sql.placeholder('userId')),
        sql`${mentions.isUnread}`,
        sql`${mentions.itemRank} = any(${sql.placeholder('ranks')}::bigint[])`,
      ),
    ),
);

/** The newest of a user's unread mentions. Limited, so that a flood of mentions does not slow down the list. */
const unreadRanksOf = statement(
  build
    .select({ rank: mentions.itemRank })
    .from(mentions)
    .where(and(eq(mentions.userId, sql.placeholder('userId')), sql`${mentions.isUnread}`))
    .orderBy(desc(mentions.itemRank))
    .limit(10_000),
);

/**
 * Merges the lists of some Hubs and kinds. Each list is read from its own place in the index `items_by_hub`. Its first
 * rank decides whether it can contribute to the page: of a thousand lists, most are not read.
 */
const ofHubs = (direction: Direction) => {
  const [end, order, side] = direction === 'older' ? [sql`max`, sql`desc`, sql`<`] : [sql`min`, sql`asc`, sql`>`];
  const isIn = sql`item.hub_number = list.number and item.kind = list.kind and item.rank > list.floor
    and item.rank ${side} ${sql.placeholder('from')}::bigint and (item.deleted_at is null or item.reply_count > 0)`;
  return rawStatement(
    sql`with list as (
        select hubs.number, hubs.id, wanted.kind, wanted.floor
          from unnest(${sql.placeholder('hubIds')}::text[], ${sql.placeholder('kinds')}::text[],
            ${sql.placeholder('floors')}::bigint[]) as wanted (hub_id, kind, floor)
          join hubs on hubs.id = wanted.hub_id),
      opened as (
        select list.*, (select ${end}(item.rank) from items as item where ${isIn}) as head from list
          order by head ${order} nulls last limit ${sql.placeholder('limit')}::bigint)
      select found.rank, list.id, list.kind, found.key_id, found.author_id, found.status, found.assignee_id, found.deleted_at
        from opened as list cross join lateral (
          select * from items as item where ${isIn} order by item.rank ${order}
            limit ${sql.placeholder('limit')}::bigint) as found
        where list.head is not null
        order by found.rank ${order} limit ${sql.placeholder('limit')}::bigint`,
    ([rank, hubId, kind, keyId, authorId, status, assigneeId, deletedAt]: ListedColumns): ListedRow => ({
      rank: Number(rank),
      hubId,
      kind,
      keyId,
      authorId,
      status,
      assigneeId,
      deletedAt: deletedAt === null ? null : Number(deletedAt),
    }),
  );
};
type ListedColumns = [
  string,
  string,
  ItemRowKind,
  string | null,
  string,
  ListedRow['status'],
  string | null,
  string | null,
];

const listing = (filter: SQL | undefined) => {
  const select = (direction: Direction) => {
    const from = sql.placeholder('from');
    return statement(
      build
        .select(columns)
        .from(items)
        .where(and(filter, direction === 'older' ? lt(items.rank, from) : gt(items.rank, from)))
        .orderBy(direction === 'older' ? desc(items.rank) : asc(items.rank))
        .limit(sql.placeholder('limit')),
    );
  };
  return { older: select('older'), newer: select('newer') };
};
const userId = sql.placeholder('userId');
const lists = {
  ofHubs: { older: ofHubs('older'), newer: ofHubs('newer') },
  replies: listing(and(eq(items.parentId, sql.placeholder('parentId')), isNull(items.deletedAt))),
  deleted: listing(
    and(
      eq(items.hubNumber, hubNumber),
      sql`${items.deletedAt} is not null and ${items.removalId} is null`,
      gte(items.deletedAt, sql.placeholder('since')),
      sql`(${userId}::text is null or ${items.authorId} = ${userId} or ${items.deletedById} = ${userId})`,
    ),
  ),
  assigned: listing(and(eq(items.assigneeId, sql.placeholder('assigneeId')), isNull(items.deletedAt))),
  mentioning: statement(
    build
      .select(columns)
      .from(mentions)
      .innerJoin(items, eq(items.rank, mentions.itemRank))
      .where(and(eq(mentions.userId, sql.placeholder('userId')), lt(mentions.itemRank, sql.placeholder('from'))))
      .orderBy(desc(mentions.itemRank))
      .limit(sql.placeholder('limit')),
  ),
};

export function itemListReads(on: ReadConnection): Omit<ItemReads, 'find' | 'findOrigin'> {
  /** All statements for a page read the same snapshot of the database, so that its items and its `seq` match. */
  const page = (query: PageOfList | ((at: Connection) => Promise<PageOfList>)): Promise<ItemPage> =>
    on.snapshot(async (at) => readItemPage(at, typeof query === 'function' ? await query(at) : query, recordsOn(at)));

  return {
    list: (query) =>
      page(async (at) => {
        const wanted = await listsOf(at, query);
        const read: PageOfList['read'] = ({ direction, ...position }) =>
          at.all(lists.ofHubs[direction], { ...wanted, ...position });
        const userId = query.unreadBy;
        const mentioned = userId === undefined ? [] : await at.all(unreadRanksOf, { userId });
        return { ...query, read, matches: filterOf(query, new Set(mentioned.map(({ rank }) => rank))) };
      }),
    listReplies: (query) =>
      page(async (at) => {
        const hubId = (await at.first(hubOf, { id: query.parentId }))?.hubId;
        return {
          ...query,
          hubIds: hubId === undefined ? [] : [hubId],
          read: ({ direction, ...position }) =>
            at.all(lists.replies[direction], { parentId: query.parentId, ...position }),
        };
      }),
    listDeleted: ({ hubId, userId, since, ...query }) =>
      page(async (at) => ({
        ...query,
        hubIds: [hubId],
        read: ({ direction, ...position }) => at.all(lists.deleted[direction], { hubId, userId, since, ...position }),
      })),
    listAssigned: (query) =>
      page(async (at) => {
        const { assigneeId } = query;
        const readable = new Set(query.hubIds);
        const matches = filterOf(query, new Set());
        return {
          ...query,
          read: ({ direction, ...position }) => at.all(lists.assigned[direction], { assigneeId, ...position }),
          matches: (row) => readable.has(row.hubId) && (matches?.(row) ?? true),
          mayBeNamed: (row) => readable.has(row.hubId),
        };
      }),
    listMentioning: ({ userId, ...query }) =>
      on.snapshot(async (at) => {
        const readable = new Set(query.hubIds);
        const found = await readItemPage(
          at,
          {
            ...query,
            read: ({ from, limit }) => at.all(lists.mentioning, { userId, from, limit }),
            // Users who mention themselves are among the item's mentions, but the item is not addressed to them.
            matches: ({ hubId, authorId, deletedAt }) =>
              deletedAt === null && authorId !== userId && readable.has(hubId),
            mayBeNamed: ({ hubId }) => readable.has(hubId),
          },
          recordsOn(at),
        );
        const ranks = found.items.map(({ rank }) => rank);
        const unread = new Set((await at.all(unreadAmong, { userId, ranks })).map(({ id }) => id));
        return { ...found, unreadIds: found.items.map(({ id }) => id).filter((id) => unread.has(id)) };
      }),
    countAssigned: async (userId) =>
      new Map((await on.all(countAssigned, { userId })).map(({ hubId, n }) => [hubId, n])),
    listByRank: async (ranks, hubIds) => {
      const readable = new Set(hubIds);
      return (await recordsOn(on)(ranks)).filter((item) => item.deletedAt === null && readable.has(item.hubId));
    },
  };
}

/** Returns a function that reads the items with these ranks, newest first. */
function recordsOn(on: Connection): (ranks: readonly number[]) => Promise<ItemRecord[]> {
  return async (ranks) => (await on.all(byRank, { ranks: [...ranks] })).map(toItemRecord);
}

/** Returns the lists of a query: one for each Hub and kind, and the rank after which it begins. */
async function listsOf(at: Connection, { hubIds, kinds, unreadBy }: ItemQuery) {
  const marks = unreadBy === undefined ? [] : await at.all(marksOf, { userId: unreadBy });
  const marksByHub = new Map(marks.map(({ hubId, ...ranks }) => [hubId, ranks]));
  const floorOf = (hubId: string, kind: ItemRowKind): number =>
    // Replies use the read mark for messages.
    marksByHub.get(hubId)?.[kind === 'reply' ? 'message' : kind] ?? 0;
  const wanted = hubIds.flatMap((hubId) => kinds.map((kind) => ({ hubId, kind, floor: floorOf(hubId, kind) })));
  return {
    hubIds: wanted.map(({ hubId }) => hubId),
    kinds: wanted.map(({ kind }) => kind),
    floors: wanted.map(({ floor }) => floor),
  };
}

/** Returns `undefined` if the query accepts every row of its lists. */
function filterOf(
  { keyId, authorId, status, assigneeId, unreadBy }: ItemQuery,
  unreadMentions: ReadonlySet<number>,
): PageOfList['matches'] {
  const conditions: ((row: ListedRow) => boolean)[] = [];
  if (keyId !== undefined) conditions.push((row) => row.keyId === keyId);
  if (authorId !== undefined) conditions.push((row) => row.authorId === authorId);
  if (status !== undefined) conditions.push((row) => row.status === status);
  if (assigneeId !== undefined) conditions.push((row) => row.assigneeId === assigneeId);
  // Your own items are never unread, and neither are deleted ones or replies that are not addressed to you.
  if (unreadBy !== undefined) {
    conditions.push((row) => row.authorId !== unreadBy && row.deletedAt === null);
    conditions.push((row) => row.kind !== 'reply' || unreadMentions.has(row.rank));
  }
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row));
}

/** Maximum number of a user's to-dos examined, newest first. Limited because most may be completed. */
const MAX_COUNTED = 5_000;

/** Counts a user's open to-dos in each Hub. */
const countAssigned = rawStatement(
  sql`select hubs.id, count(*) from (
      select hub_number, status from items
        where assignee_id = ${sql.placeholder('userId')} and deleted_at is null
        order by rank desc limit ${sql.raw(String(MAX_COUNTED))}) as newest
    join hubs on hubs.number = newest.hub_number
    where newest.status = 'open' group by hubs.id`,
  ([hubId, n]: [string, string]) => ({ hubId, n: Number(n) }),
);
