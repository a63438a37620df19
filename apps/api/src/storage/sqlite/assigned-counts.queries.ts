import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import { items } from './tables/items.table.ts';

/** Maximum number of a user's to-dos examined, newest first. Limited because most may be completed. */
const MAX_EXAMINED = 5_000;

/** Counts a user's open to-dos in each Hub. Counts in code, because SQLite would sort all of them first. */
export function assignedCounts(db: Db) {
  const newest = db
    .select({ hubId: items.hubId, status: items.status })
    .from(items)
    .where(and(eq(items.assigneeId, sql.placeholder('personId')), isNull(items.deletedAt)))
    .orderBy(desc(items.rank))
    .limit(MAX_EXAMINED)
    .prepare();
  return (personId: string): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const { hubId, status } of newest.all({ personId })) {
      if (status === 'open') counts.set(hubId, (counts.get(hubId) ?? 0) + 1);
    }
    return counts;
  };
}
