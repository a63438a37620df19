import { eq, gte, sql } from 'drizzle-orm';
import { idTime } from '../../ids.ts';
import type { Db } from './database.ts';
import type { Direction } from './merge-lists.ts';
import { items } from './tables/items.table.ts';

/**
 * Where the item with an id stands in the order of commit. An id that none of these Hubs has, or has no longer, stands where
 * its time does, and within a millisecond where the rest of it does: it says no more of a foreign item than the id itself.
 */
export function rankOfPlace(db: Db): (id: string, hubIds: readonly string[], direction: Direction) => number {
  const find = db
    .select({ rank: items.rank, hubId: items.hubId })
    .from(items)
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();
  const firstFrom = db
    .select({ rank: items.rank, id: items.id, createdAt: items.createdAt })
    .from(items)
    .where(gte(items.rank, sql.placeholder('rank')))
    .orderBy(items.rank)
    .limit(1)
    .prepare();
  const findLast = db
    .select({ rank: sql<number | null>`max(${items.rank})` })
    .from(items)
    .prepare();

  return (id, hubIds, direction) => {
    const found = find.get({ id });
    if (found && hubIds.includes(found.hubId)) return found.rank;
    const time = idTime(id);
    const isBehind = (row: { id: string; createdAt: number }): boolean =>
      row.createdAt === time ? withoutPrefix(row.id) > withoutPrefix(id) : row.createdAt > time;
    // Ranks rise with time: halve them until one is left.
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

/** Ids of all kinds rise together. */
function withoutPrefix(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
