import { eq, gte, sql } from 'drizzle-orm';
import { idTime } from '../../ids.ts';
import type { Db } from './engine/database.ts';
import type { Direction } from './merge-lists.ts';
import { items } from './tables/items.table.ts';

/**
 * Returns the position of an id in commit order. If no item in these Hubs has the id, for example after the item was
 * erased, the position is based on the time in the id and, within a millisecond, on the rest of the id. So the
 * position of an item in another Hub reveals no more than its id does.
 */
export function rankOfCursor(db: Db): (id: string, hubIds: readonly string[], direction: Direction) => number {
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
