import { eq, sql } from 'drizzle-orm';
import { placeAtTime } from '../../ids.ts';
import type { ItemPage, ItemRecord } from '../item-store.ts';
import type { Db } from './database.ts';
import { AFTER_ALL_RANKS } from './item-lists.queries.ts';
import { rankOfPlace } from './item-places.queries.ts';
import { type Direction, type MergeOptions, mergeLists, type SortedList } from './merge-lists.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';

/**
 * How many rows one request looks at for those that a filter lets through: some 15 ms, if they are of a thousand Hubs. Beyond it the page is short, and `next` goes on
 * from there: a rare filter costs its reader some requests, and nobody else a pause.
 */
const MAX_EXAMINED = 500;

/**
 * What the items of one page say together, unless it is one item. A hundred long notes would be 20 MB: to make JSON of them would
 * hold up everybody else for as long as some hundred posts take.
 */
export const MAX_PAGE_BYTES = 1024 * 1024;

export interface PageOfLists extends Pick<MergeOptions, 'limit' | 'matches' | 'mayBeNamed'> {
  /** Where the caller may read; of rows of other Hubs, nothing is to be seen, not even in `next`. */
  hubIds: readonly string[];
  before?: string | undefined;
  after?: string | undefined;
  maxBytes?: number | undefined;
  lists: (place: { direction: Direction; from: number }) => SortedList[];
}

/** A page of some lists, and the place where the one after it begins. */
export function itemPages(db: Db, records: (ranks: readonly number[]) => ItemRecord[]) {
  const rowAt = db
    .select({ id: items.id, createdAt: items.createdAt })
    .from(items)
    .where(eq(items.rank, sql.placeholder('rank')))
    .prepare();
  const seqsOf = db
    .select({ id: hubs.id, seq: hubs.seq })
    .from(hubs)
    .where(sql`${hubs.id} in (select value from json_each(${sql.placeholder('hubIds')}))`)
    .prepare();
  // Told by the head of a row: what it holds is not read for it.
  const sizesOf = db
    .select({
      rank: items.rank,
      bytes: sql<number>`coalesce(octet_length(${items.body}), 0) + coalesce(octet_length(${items.blocks}), 0)
        + coalesce(octet_length(${items.title}), 0)`,
    })
    .from(items)
    .where(sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))`)
    .prepare();
  const readEpoch = db.select({ epoch: workspace.epoch }).from(workspace).prepare();
  const rankOf = rankOfPlace(db);

  /**
   * A place by time alone, where the last row that was looked at has no name that the reader may know. `null` if it does not
   * lie between where the reader stood and what comes after that row: within a millisecond, or if a clock was set back.
   */
  const namelessPlace = (
    rank: number,
    { from, hubIds, direction }: { from: number; hubIds: readonly string[]; direction: Direction },
  ): string | null => {
    const time = rowAt.get({ rank })?.createdAt ?? 0;
    const place = placeAtTime(time, direction === 'older' ? 'behind' : 'before');
    const reached = rankOf(place, hubIds, direction);
    const isBetween = direction === 'older' ? rank <= reached && reached < from : from < reached && reached <= rank;
    return isBetween ? place : null;
  };

  const read = ({ hubIds, limit, before, after, matches, mayBeNamed, lists }: PageOfLists) => {
    const direction = after === undefined ? 'older' : 'newer';
    const place = after ?? before;
    const from = place === undefined ? AFTER_ALL_RANKS : rankOf(place, hubIds, direction);
    for (let start = from; ; ) {
      const options = { direction, from: start, limit, matches, mayBeNamed, maxExamined: MAX_EXAMINED } as const;
      const { ranks, next, isNamed } = mergeLists(lists({ direction, from: start }), options);
      if (next === null) return { ranks, next: null };
      const name = isNamed ? rowAt.get({ rank: next })?.id : namelessPlace(next, { from, hubIds, direction });
      if (name) return { ranks, next: name };
      start = next;
    }
  };

  /** The first of these, in the order of reading, that together say no more than so much. */
  const fitting = (ranks: readonly number[], maxBytes: number): number[] => {
    const sizes = new Map(sizesOf.all({ ranks: JSON.stringify(ranks) }).map(({ rank, bytes }) => [rank, bytes]));
    let bytes = 0;
    return ranks.filter((rank, place) => {
      bytes += sizes.get(rank) ?? 0;
      return place === 0 || bytes <= maxBytes;
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
