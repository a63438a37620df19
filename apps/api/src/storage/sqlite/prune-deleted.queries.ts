import { LIMITS } from '@hub/contract';
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import type { EraseWrites } from './erase.queries.ts';
import { DAY_MS, type PruneBounds, type Pruned } from './prune-bounds.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';

interface Position {
  deletedAt: number;
  rank: number;
}

/**
 * Erases deleted items if they were deleted long ago or are past their Hub's retention period. A message with replies
 * keeps its row, without its content. Runs inside a writer transaction.
 */
export function pruneDeleted(db: Db, erase: EraseWrites) {
  const columns = {
    rank: items.rank,
    id: items.id,
    createdAt: items.createdAt,
    // Set in every row that matches the conditions.
    deletedAt: sql<number>`${items.deletedAt}`,
    replyCount: items.replyCount,
    isBlank: sql<number>`${items.title} is null and ${items.body} is null and ${items.blocks} is null`,
    retentionDays: hubs.retentionDays,
  };
  const select = () => db.select(columns).from(items).innerJoin(hubs, eq(hubs.id, items.hubId));
  const deletedAtOnce = select()
    .where(and(eq(items.deletedAt, sql.placeholder('deletedAt')), gt(items.rank, sql.placeholder('rank'))))
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();
  const deletedLater = select()
    .where(and(isNotNull(items.deletedAt), gt(items.deletedAt, sql.placeholder('deletedAt'))))
    .orderBy(asc(items.deletedAt), asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();

  /** A removal deletes many items in the same millisecond: their ranks distinguish them. */
  const readAfter = (position: Position, limit: number) => {
    const same = deletedAtOnce.all({ ...position, limit });
    return same.length === limit ? same : [...same, ...deletedLater.all({ ...position, limit: limit - same.length })];
  };

  return (position: Position, { now, limit }: PruneBounds): Pruned => {
    const rows = readAfter(position, limit);
    const longAgo = now - LIMITS.deletedKeptDays * DAY_MS;
    const past = rows.filter(
      ({ deletedAt, createdAt, retentionDays }) =>
        deletedAt < longAgo || (retentionDays !== null && createdAt < now - retentionDays * DAY_MS),
    );
    const gone = past.filter(({ replyCount }) => replyCount === 0);
    const blanks = past.filter(({ replyCount, isBlank }) => replyCount > 0 && isBlank === 0);
    erase.items(gone);
    erase.content(blanks);
    const last = rows.at(-1);
    return {
      erased: gone.length + blanks.length,
      next:
        last && rows.length === limit
          ? { phase: 'deleted', deletedAt: last.deletedAt, rank: last.rank }
          : { phase: 'touched' },
    };
  };
}
