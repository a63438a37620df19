import { eq, sql } from 'drizzle-orm';
import type { ItemQuery, ItemRecord, ItemStore } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import { sortedLists } from './item-lists.queries.ts';
import { itemPages, type PageOfLists } from './item-pages.queries.ts';
import { selectItems, toItemRecord } from './item-records.ts';
import type { ListedRow } from './merge-lists.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

type ItemReads = Pick<
  ItemStore,
  'find' | 'findOrigin' | 'list' | 'listReplies' | 'listAssigned' | 'listMentioning' | 'listByRank'
>;
/** A synchronous version of a port, which `reading` makes asynchronous. */
type Synchronous<T> = {
  [Name in keyof T]: T[Name] extends (...args: infer Args) => Promise<infer Result> ? (...args: Args) => Result : never;
};

export function itemReads(db: Db): Synchronous<ItemReads> {
  const find = selectItems(db)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();
  const findOrigin = db
    .select({ keyId: items.keyId, address: items.address, requestId: items.requestId })
    .from(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();
  const byRank = selectItems(db)
    .where(sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))`)
    .prepare();
  const marksOf = db
    .select({
      hubId: memberships.hubId,
      message: memberships.messageReadRank,
      note: memberships.noteReadRank,
      todo: memberships.todoReadRank,
    })
    .from(memberships)
    .where(eq(memberships.personId, sql.placeholder('personId')))
    .prepare();
  const unreadAmong = db
    .select({ id: mentions.itemId })
    .from(mentions)
    .where(
      sql`${mentions.personId} = ${sql.placeholder('personId')} and ${mentions.isUnread}
        and ${mentions.itemRank} in (select value from json_each(${sql.placeholder('ranks')}))`,
    )
    .prepare();
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

  const floorsOf = (hubIds: readonly string[], personId: string | undefined) => {
    if (personId === undefined) return hubIds.map((id) => ({ id }));
    const marks = new Map(marksOf.all({ personId }).map(({ hubId, ...ranks }) => [hubId, ranks]));
    return hubIds.map((id) => ({ id, floors: marks.get(id) }));
  };

  return {
    find: (id) => {
      const row = find.get({ id });
      return row ? toItemRecord(row) : null;
    },
    findOrigin: (id) => {
      const { keyId = null, address, requestId } = findOrigin.get({ id }) ?? {};
      return keyId === null ? null : { keyId, address: address ?? '', requestId: requestId ?? '' };
    },
    list: atOneInstant((query: ItemQuery) =>
      page({
        ...query,
        lists: (position) => lists.ofHubs(floorsOf(query.hubIds, query.unreadBy), query.kinds, position),
        matches: filterOf(query),
      }),
    ),
    listReplies: atOneInstant((query) => {
      const hubId = find.get({ id: query.parentId })?.hubId;
      return page({
        ...query,
        hubIds: hubId === undefined ? [] : [hubId],
        lists: ({ direction }) => lists.repliesTo(query.parentId, direction),
      });
    }),
    listAssigned: atOneInstant((query) => {
      const readable = new Set(query.hubIds);
      const matches = filterOf(query);
      return page({
        ...query,
        lists: ({ direction }) => lists.assignedTo(query.assigneeId, direction),
        matches: (row) => readable.has(row.hubId) && (matches?.(row) ?? true),
        mayBeNamed: (row) => readable.has(row.hubId),
      });
    }),
    listMentioning: atOneInstant((query) => {
      const readable = new Set(query.hubIds);
      const { personId } = query;
      const found = page({
        ...query,
        lists: () => lists.mentioning(personId),
        // Users who mention themselves are among the item's mentions, but the item is not addressed to them.
        matches: ({ hubId, authorId, deletedAt }) => deletedAt === null && authorId !== personId && readable.has(hubId),
        mayBeNamed: ({ hubId }) => readable.has(hubId),
      });
      const ranks = JSON.stringify(found.items.map(({ rank }) => rank));
      const unread = new Set(unreadAmong.all({ personId, ranks }).map(({ id }) => id));
      return { ...found, unreadIds: found.items.map(({ id }) => id).filter((id) => unread.has(id)) };
    }),
    listByRank: (ranks, hubIds) => {
      const readable = new Set(hubIds);
      return records(ranks).filter((item) => item.deletedAt === null && readable.has(item.hubId));
    },
  };
}

/** Returns `undefined` if the query accepts every row of its lists. */
function filterOf({ keyId, authorId, status, assigneeId, unreadBy }: ItemQuery): PageOfLists['matches'] {
  const conditions: ((row: ListedRow) => boolean)[] = [];
  if (keyId !== undefined) conditions.push((row) => row.keyId === keyId);
  if (authorId !== undefined) conditions.push((row) => row.authorId === authorId);
  if (status !== undefined) conditions.push((row) => row.status === status);
  if (assigneeId !== undefined) conditions.push((row) => row.assigneeId === assigneeId);
  // Your own items are never unread, and neither are deleted ones.
  if (unreadBy !== undefined) conditions.push((row) => row.authorId !== unreadBy && row.deletedAt === null);
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row));
}
