import type { PerKind } from '@hub/contract';
import { and, asc, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { ItemRowKind } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import type { Direction, ListedRow, SortedList } from './merge-lists.ts';
import { mentions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

/** Higher than every rank. SQLite allows even higher ranks, but none will ever reach this value. */
export const AFTER_ALL_RANKS = Number.MAX_SAFE_INTEGER;

const columns = {
  rank: items.rank,
  hubId: items.hubId,
  keyId: items.keyId,
  authorId: items.authorId,
  status: items.status,
  assigneeId: items.assigneeId,
  deletedAt: items.deletedAt,
};

/** Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index. */
const isListed = or(isNull(items.deletedAt), sql`${items.replyCount} > 0`);

type Read = (from: number, limit: number) => ListedRow[];

/**
 * The sorted lists from which all others are merged. Each is read from an index, starting at any rank, in either
 * direction.
 */
export function sortedLists(db: Db) {
  const select = (filter: SQL | undefined, direction: Direction) =>
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
      .limit(sql.placeholder('limit'))
      .prepare();
  const both = (filter: SQL | undefined) => ({ older: select(filter, 'older'), newer: select(filter, 'newer') });

  const isOfList = and(eq(items.hubId, sql.placeholder('hubId')), eq(items.kind, sql.placeholder('kind')), isListed);
  const ofHub = {
    older: select(and(isOfList, gt(items.rank, sql.placeholder('floor'))), 'older'),
    // No second lower bound here: SQLite might start reading at that bound instead of at the first.
    newer: select(isOfList, 'newer'),
  };
  const replies = both(and(eq(items.parentId, sql.placeholder('parentId')), isNull(items.deletedAt)));
  const assigned = both(and(eq(items.assigneeId, sql.placeholder('assigneeId')), isNull(items.deletedAt)));
  const mentioning = db
    .select(columns)
    .from(mentions)
    .innerJoin(items, eq(items.rank, mentions.itemRank))
    .where(and(eq(mentions.personId, sql.placeholder('personId')), lt(mentions.itemRank, sql.placeholder('from'))))
    .orderBy(desc(mentions.itemRank))
    .limit(sql.placeholder('limit'))
    .prepare();
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
    mentioning: (personId: string): SortedList[] =>
      single((from, limit) => mentioning.all({ personId, from, limit }), 'older'),
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
  return db
    .select({
      hubId: sql<string>`hub.value`,
      kind: sql<ItemRowKind>`kind.value`,
      rank: sql<number | null>`(select ${end} from ${items} where ${items.hubId} = hub.value
        and ${items.kind} = kind.value and ${items.rank} ${side} ${sql.placeholder('from')} and (${isListed}))`,
    })
    .from(sql`json_each(${sql.placeholder('hubIds')}) as hub, json_each(${sql.placeholder('kinds')}) as kind`)
    .prepare();
}
