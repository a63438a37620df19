import { and, asc, desc, eq, gt, gte, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { Connection, Query, ReadConnection, Values } from './engine/connection.ts';
import { given, inPostgres, listedNumbers, rawQuery, select, toList } from './engine/query.ts';
import {
  type Direction,
  type ItemPage,
  type ItemQuery,
  type ListedRow,
  type ListPage,
  listedColumns,
  type PageRange,
  type Position,
  readPage,
  recordsOf,
} from './item-pages.ts';
import { hubIdOfItem, hubNumber, type ItemRecord, type ItemRowKind, isListed } from './items.ts';
import { listMutedKeys } from './notifications.ts';
import { items, mentions } from './schema/items.table.ts';
import { memberships } from './schema/users.table.ts';

/** A page of mentions; `unreadIds` are the items in it that the user has not read. */
interface MentionPage extends ItemPage {
  unreadIds: string[];
}

const lists = sql`cast(${given('lists')} as text)`;
const toListed = ([globalSeq, hubId, kind, keyId, authorId, status, assigneeId, deletedAt]: readonly unknown[]) =>
  ({
    ...{ globalSeq: Number(globalSeq), hubId, kind, keyId, authorId, status, assigneeId },
    deletedAt: deletedAt === null ? null : Number(deletedAt),
  }) as ListedRow;

type Listing = Record<Direction, Query<ListedRow>>;

function listing(filter: SQL | undefined): Listing {
  const [{ globalSeq }, from, limit] = [items, given('from'), given('limit')];
  return {
    older: select(listedColumns, items, and(filter, lt(globalSeq, from)), { orderBy: desc(globalSeq), limit }),
    newer: select(listedColumns, items, and(filter, gt(globalSeq, from)), { orderBy: asc(globalSeq), limit }),
  };
}

const ofHubs: Listing = { older: mergedLists('older'), newer: mergedLists('newer') };
const ofHub = listing(and(eq(items.hubNumber, hubNumber), eq(items.kind, given('kind')), isListed));
const replies = listing(and(eq(items.parentId, given('parentId')), isNull(items.deletedAt)));
const assigned = listing(and(eq(items.assigneeId, given('assigneeId')), isNull(items.deletedAt)));
const userId = sql`cast(${given('userId')} as text)`;
const deleted = listing(
  and(
    eq(items.hubNumber, hubNumber),
    // Must be exactly the condition of the index `items_deleted_by_hub`, or SQLite does not use the index.
    sql`${items.deletedAt} is not null and ${items.removalId} is null`,
    gte(items.deletedAt, given('since')),
    sql`(${userId} is null or ${items.authorId} = ${userId} or ${items.deletedById} = ${userId})`,
  ),
);
const mentioning = select(
  listedColumns,
  mentions,
  and(eq(mentions.userId, given('userId')), lt(mentions.itemGlobalSeq, given('from'))),
  {
    joins: [[items, eq(items.globalSeq, mentions.itemGlobalSeq)]],
    orderBy: desc(mentions.itemGlobalSeq),
    limit: given('limit'),
  },
);

const hubOf = select({ hubId: hubIdOfItem }, items, eq(items.id, given('id')));
const { hubId, messageReadGlobalSeq: message, noteReadGlobalSeq: note, todoReadGlobalSeq: todo } = memberships;
const marksOf = select({ hubId, message, note, todo }, memberships, eq(memberships.userId, given('userId')));
const unreadAmong = select(
  { globalSeq: mentions.itemGlobalSeq },
  mentions,
  and(
    eq(mentions.userId, given('userId')),
    sql`${mentions.isUnread}`,
    sql`${mentions.itemGlobalSeq} in ${listedNumbers('globalSeqs')}`,
  ),
);

/** Maximum number of a user's to-dos examined, newest first. Limited because most may be completed. */
const MAX_COUNTED = 5_000;
const countAssigned = rawQuery(
  sql`select (select id from hubs where number = newest.hub_number), count(*) from (
      select hub_number, status from items
        where assignee_id = ${given('userId')} and deleted_at is null
        order by global_seq desc limit ${sql.raw(String(MAX_COUNTED))}) as newest
    where newest.status = 'open' group by newest.hub_number`,
  ([hubId, n]) => [String(hubId), Number(n)] as const,
);

/** Returns what reads the rows of a list. */
const readOf =
  (at: Connection, list: Listing, values: Values): ListPage['read'] =>
  async ({ direction, ...position }) =>
    at.all(list[direction], { ...values, ...position });

export function itemListReads(on: ReadConnection) {
  return {
    list: (query: ItemQuery): Promise<ItemPage> =>
      on.snapshot(async (at) => {
        const { unreadBy } = query;
        const wanted = await listsOf(at, query);
        const [only] = wanted;
        const unreadReplies = new Set<number>();
        const muted = unreadBy === undefined ? [] : await at.all(listMutedKeys, { userId: unreadBy });
        const mutedKeyIds = new Set<string | null>(muted.map(({ keyId }) => keyId));
        const readMerged = readOf(at, ofHubs, { lists: JSON.stringify(wanted) });
        const read: ListPage['read'] = async (position) => {
          const rows = only && wanted.length === 1 ? await readList(at, only, position) : await readMerged(position);
          if (unreadBy === undefined) return rows;
          const replies = rows.filter(({ kind }) => kind === 'reply');
          for (const globalSeq of await unreadGlobalSeqs(at, unreadBy, replies)) unreadReplies.add(globalSeq);
          return rows;
        };
        return readPage(at, { ...query, read, matches: filterOf(query, { unreadReplies, mutedKeyIds }) });
      }),
    listReplies: ({ parentId, ...range }: PageRange & { parentId: string }): Promise<ItemPage> =>
      on.snapshot(async (at) => {
        const hubId = (await at.first(hubOf, { id: parentId }))?.hubId;
        const hubIds = hubId === undefined ? [] : [hubId];
        return readPage(at, { ...range, hubIds, read: readOf(at, replies, { parentId }) });
      }),
    /** Lists items of a Hub that were deleted one by one since then: by or from this user, or all for `null`. */
    listDeleted: (query: PageRequest & { hubId: string; userId: string | null; since: number }): Promise<ItemPage> =>
      on.snapshot((at) => {
        const { hubId, userId, since, ...range } = query;
        return readPage(at, { ...range, hubIds: [hubId], read: readOf(at, deleted, { hubId, userId, since }) });
      }),
    listAssigned: ({ assigneeId, ...query }: ItemQuery & { assigneeId: string }): Promise<ItemPage> =>
      on.snapshot((at) => {
        const readable = new Set(query.hubIds);
        const matches = filterOf(query);
        return readPage(at, {
          ...query,
          read: readOf(at, assigned, { assigneeId }),
          matches: (row) => readable.has(row.hubId) && (matches?.(row) ?? true),
          mayBeNamed: (row) => readable.has(row.hubId),
        });
      }),
    /** Counts a user's open to-dos by Hub, among the newest `MAX_COUNTED` assigned to them. */
    countAssigned: async (userId: string): Promise<ReadonlyMap<string, number>> =>
      new Map(await on.all(countAssigned, { userId })),
    listMentioning: (wanted: PageRequest & { userId: string; hubIds: readonly string[] }): Promise<MentionPage> =>
      on.snapshot(async (at) => {
        const { userId, ...query } = wanted;
        const readable = new Set(query.hubIds);
        const page = await readPage(at, {
          ...query,
          read: async ({ from, limit }) => at.all(mentioning, { userId, from, limit }),
          // Users who mention themselves are among the item's mentions, but the item is not addressed to them.
          matches: ({ hubId, authorId, deletedAt }) => deletedAt === null && authorId !== userId && readable.has(hubId),
          mayBeNamed: ({ hubId }) => readable.has(hubId),
        });
        const unread = await unreadGlobalSeqs(at, userId, page.items);
        const unreadIds = page.items.filter(({ globalSeq }) => unread.has(globalSeq)).map(({ id }) => id);
        return { ...page, unreadIds };
      }),
    /** Lists those of the items that exist, are not deleted and belong to these Hubs, newest first. */
    listByGlobalSeq: async (globalSeqs: readonly number[], hubIds: readonly string[]): Promise<ItemRecord[]> => {
      const readable = new Set(hubIds);
      return (await recordsOf(on, globalSeqs)).filter((item) => item.deletedAt === null && readable.has(item.hubId));
    },
  };
}

interface WantedList {
  hubId: string;
  kind: ItemRowKind;
  /** The global sequence number after which the list begins. */
  floor: number;
}

async function listsOf(at: Connection, { hubIds, kinds, unreadBy }: ItemQuery): Promise<WantedList[]> {
  const marks = unreadBy === undefined ? [] : await at.all(marksOf, { userId: unreadBy });
  const marksByHub = new Map(marks.map(({ hubId, ...globalSeqs }) => [hubId, globalSeqs]));
  // Replies use the read mark for messages.
  const floorOf = (hubId: string, kind: ItemRowKind) =>
    marksByHub.get(hubId)?.[kind === 'reply' ? 'message' : kind] ?? 0;
  return hubIds.flatMap((hubId) => kinds.map((kind) => ({ hubId, kind, floor: floorOf(hubId, kind) })));
}

async function readList(at: Connection, { hubId, kind, floor }: WantedList, { direction, from, limit }: Position) {
  const start = direction === 'older' ? from : Math.max(from, floor);
  const rows = await at.all(ofHub[direction], { hubId, kind, from: start, limit });
  return rows.filter(({ globalSeq }) => globalSeq > floor);
}

async function unreadGlobalSeqs(at: Connection, userId: string, among: readonly { globalSeq: number }[]) {
  const globalSeqs = toList(among.map(({ globalSeq }) => globalSeq));
  const unread = among.length === 0 ? [] : await at.all(unreadAmong, { userId, globalSeqs });
  return new Set(unread.map(({ globalSeq }) => globalSeq));
}

/** Returns `undefined` if the query accepts every row of its lists. */
function filterOf(
  { keyId, authorId, status, assigneeId, unreadBy }: ItemQuery,
  unread?: { unreadReplies: ReadonlySet<number>; mutedKeyIds: ReadonlySet<string | null> },
): ListPage['matches'] {
  const conditions: ((row: ListedRow) => boolean)[] = [];
  if (keyId !== undefined) conditions.push((row) => row.keyId === keyId);
  if (authorId !== undefined) conditions.push((row) => row.authorId === authorId);
  if (status !== undefined) conditions.push((row) => row.status === status);
  if (assigneeId !== undefined) conditions.push((row) => row.assigneeId === assigneeId);
  // Your own items are never unread, and neither are deleted ones, those of muted keys or replies not addressed to you.
  if (unreadBy !== undefined && unread) {
    conditions.push((row) => row.authorId !== unreadBy && row.deletedAt === null && !unread.mutedKeyIds.has(row.keyId));
    conditions.push((row) => row.kind !== 'reply' || unread.unreadReplies.has(row.globalSeq));
  }
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row));
}

/**
 * Merges lists, each read from its own place in the index `items_by_hub`. SQLite keeps the next row of each list in a
 * queue. PostgreSQL has none: it first reads the first global sequence number of each list, which decides whether the
 * list can contribute to the page.
 */
function mergedLists(direction: Direction): Query<ListedRow> {
  const [end, order, side] = direction === 'older' ? [sql`max`, sql`desc`, sql`<`] : [sql`min`, sql`asc`, sql`>`];
  const [from, limit] = [given('from'), given('limit')];
  const columns = sql`item.key_id, item.author_id, item.status, item.assignee_id, item.deleted_at`;
  /** Must be exactly the condition of the index, or SQLite does not use it. */
  const isListed = sql`(item.deleted_at is null or (item.kind = 'message' and item.reply_count > 0))`;
  const nextIn = (list: SQL, position: SQL) => {
    // SQLite might start reading at a second lower bound instead of at the first.
    const range =
      direction === 'older'
        ? sql`< ${position} and item.global_seq > ${list}.floor`
        : sql`> max(${position}, ${list}.floor)`;
    return sql`(select ${end}(item.global_seq) from items as item
      where item.hub_number = ${list}.number and item.kind = ${list}.kind and ${isListed} and item.global_seq ${range})`;
  };
  const [list, head] = [sql`list`, sql`head`];
  const inSqlite = sql`with recursive
    list (number, id, kind, floor) as (
      select hubs.number, hubs.id, wanted.value ->> 'kind', wanted.value ->> 'floor'
        from json_each(${lists}) as wanted cross join hubs on hubs.id = wanted.value ->> 'hubId'),
    head (global_seq, number, id, kind, floor) as (
      select item.global_seq, list.* from list cross join items as item on item.global_seq = ${nextIn(list, sql`${from}`)}
      union all
      select item.global_seq, head.number, head.id, head.kind, head.floor
        from head cross join items as item on item.global_seq = ${nextIn(head, sql`head.global_seq`)}
      order by 1 ${order} limit ${limit})
    select head.global_seq, head.id, head.kind, ${columns} from head cross join items as item on item.global_seq = head.global_seq`;
  const isIn = sql`item.hub_number = list.number and item.kind = list.kind and ${isListed}
    and item.global_seq > list.floor and item.global_seq ${side} ${from}`;
  const inOther = sql`with list as (
      select hubs.number, hubs.id, wanted.kind, wanted.floor
        from json_to_recordset(${lists}::json) as wanted ("hubId" text, kind text, floor bigint)
        join hubs on hubs.id = wanted."hubId"),
    opened as (
      select list.*, (select ${end}(item.global_seq) from items as item where ${isIn}) as head from list
        order by head ${order} nulls last limit ${limit})
    select item.global_seq, list.id, list.kind, ${columns}
      from opened as list cross join lateral (
        select * from items as item where ${isIn} order by item.global_seq ${order} limit ${limit}) as item
      where list.head is not null
      order by item.global_seq ${order} limit ${limit}`;
  return inPostgres(rawQuery(inSqlite, toListed), () => inOther);
}
