import { eq, gte, sql } from 'drizzle-orm';
import { cursorAtTime, idTime } from '../../core/ids.ts';
import { hubIdOfItem } from '../columns.ts';
import { type ItemPage, type ItemRecord, MAX_PAGE_BYTES } from '../item-store.ts';
import { hubs } from '../schema/hubs.table.ts';
import { items } from '../schema/items.table.ts';
import { workspace } from '../schema/workspace.table.ts';
import type { Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { type Direction, type MergeOptions, mergeLists, type SortedList } from './merge-lists.ts';

/** Higher than every rank. SQLite allows even higher ranks, but none will ever reach this value. */
export const AFTER_ALL_RANKS = Number.MAX_SAFE_INTEGER;

/**
 * How many rows one request examines for a filter, which takes about 15 ms if they are spread across a thousand Hubs.
 * When the limit is reached, the page is short, and `next` continues from there. So a filter with few matches costs its
 * user a few more requests, but does not delay other users.
 */
const MAX_EXAMINED = 500;

export interface PageOfLists extends Pick<MergeOptions, 'limit' | 'matches' | 'mayBeNamed'> {
  /** The Hubs that the caller may read; rows of other Hubs are never revealed, not even in `next`. */
  hubIds: readonly string[];
  before?: string | undefined;
  after?: string | undefined;
  maxBytes?: number | undefined;
  lists: (cursor: { direction: Direction; from: number }) => SortedList[];
}

/** Reads a page of some lists, and the cursor of the next page. */
export function itemPages(db: Db, records: (ranks: readonly number[]) => ItemRecord[]) {
  const rowAt = prepared(db, () =>
    db
      .select({ id: items.id, createdAt: items.createdAt })
      .from(items)
      .where(eq(items.rank, sql.placeholder('rank'))),
  );
  const seqsOf = prepared(db, () =>
    db
      .select({ id: hubs.id, seq: hubs.seq })
      .from(hubs)
      .where(sql`${hubs.id} in (select value from json_each(${sql.placeholder('hubIds')}))`),
  );
  // SQLite determines the length from the row header, without reading the content.
  const sizesOf = prepared(db, () =>
    db
      .select({
        rank: items.rank,
        bytes: sql<number>`coalesce(octet_length(${items.body}), 0) + coalesce(octet_length(${items.blocks}), 0)
        + coalesce(octet_length(${items.title}), 0)`,
      })
      .from(items)
      .where(sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))`),
  );
  const readEpoch = prepared(db, () => db.select({ epoch: workspace.epoch }).from(workspace));
  const rankOf = rankOfCursor(db);

  /**
   * Returns a cursor that contains only a time, for when the last examined row must not be revealed. `null` if that
   * cursor would not lie between the start of the page and the next row to examine, for example because the rows are
   * from the same millisecond or a clock was set back.
   */
  const timeCursor = (
    rank: number,
    { from, hubIds, direction }: { from: number; hubIds: readonly string[]; direction: Direction },
  ): string | null => {
    const time = rowAt.get({ rank })?.createdAt ?? 0;
    const cursor = cursorAtTime(time, direction === 'older' ? 'after' : 'before');
    const reached = rankOf(cursor, hubIds, direction);
    const isBetween = direction === 'older' ? rank <= reached && reached < from : from < reached && reached <= rank;
    return isBetween ? cursor : null;
  };

  const read = ({ hubIds, limit, before, after, matches, mayBeNamed, lists }: PageOfLists) => {
    const direction = after === undefined ? 'older' : 'newer';
    const cursor = after ?? before;
    const from = cursor === undefined ? AFTER_ALL_RANKS : rankOf(cursor, hubIds, direction);
    for (let start = from; ; ) {
      const options = { direction, from: start, limit, matches, mayBeNamed, maxExamined: MAX_EXAMINED } as const;
      const { ranks, next, isNamed } = mergeLists(lists({ direction, from: start }), options);
      if (next === null) return { ranks, next: null };
      const name = isNamed ? rowAt.get({ rank: next })?.id : timeCursor(next, { from, hubIds, direction });
      if (name) return { ranks, next: name };
      start = next;
    }
  };

  /** Returns as many of these ranks, in reading order, as fit within the size limit. */
  const fitting = (ranks: readonly number[], maxBytes: number): number[] => {
    const sizes = new Map(sizesOf.all({ ranks: JSON.stringify(ranks) }).map(({ rank, bytes }) => [rank, bytes]));
    let bytes = 0;
    return ranks.filter((rank, index) => {
      bytes += sizes.get(rank) ?? 0;
      return index === 0 || bytes <= maxBytes;
    });
  };

  return (query: PageOfLists): ItemPage => {
    const { ranks: found, next } = read(query);
    const ranks = fitting(found, query.maxBytes ?? MAX_PAGE_BYTES);
    const last = ranks.at(-1);
    const isCut = ranks.length < found.length && last !== undefined;
    return {
      items: records(ranks),
      next: isCut ? (rowAt.get({ rank: last })?.id ?? next) : next,
      seqs: Object.fromEntries(seqsOf.all({ hubIds: JSON.stringify(query.hubIds) }).map(({ id, seq }) => [id, seq])),
      epoch: readEpoch.get()?.epoch ?? '',
    };
  };
}

/**
 * Returns the position of an id in commit order. If no item in these Hubs has the id, for example after the item was
 * erased, the position is based on the time in the id and, within a millisecond, on the rest of the id. So the
 * position of an item in another Hub reveals no more than its id does.
 */
function rankOfCursor(db: Db): (id: string, hubIds: readonly string[], direction: Direction) => number {
  const find = prepared(db, () =>
    db
      .select({ rank: items.rank, hubId: hubIdOfItem })
      .from(items)
      .where(eq(items.id, sql.placeholder('id'))),
  );
  const firstFrom = prepared(db, () =>
    db
      .select({ rank: items.rank, id: items.id, createdAt: items.createdAt })
      .from(items)
      .where(gte(items.rank, sql.placeholder('rank')))
      .orderBy(items.rank)
      .limit(1),
  );
  const findLast = prepared(db, () => db.select({ rank: sql<number | null>`max(${items.rank})` }).from(items));

  return (id, hubIds, direction) => {
    const found = find.get({ id });
    if (found && hubIds.includes(found.hubId)) return found.rank;
    const time = idTime(id);
    const isBehind = (row: { id: string; createdAt: number }): boolean =>
      row.createdAt === time ? withoutPrefix(row.id) > withoutPrefix(id) : row.createdAt > time;
    // Binary search works because ranks rise with time.
    let [low, high] = [0, (findLast.get()?.rank ?? 0) + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = firstFrom.get({ rank: middle });
      if (!row || isBehind(row)) high = middle;
      else low = row.rank + 1;
    }
    return direction === 'older' ? low : low - 1;
  };
}

/** Ids of all kinds rise with time and can be compared with each other. */
function withoutPrefix(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
