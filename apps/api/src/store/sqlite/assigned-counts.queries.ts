import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { items } from './tables/items.table.ts';

/** So many to-dos of one person are looked at, the newest first: very many may be done. */
const LOOK_AT = 5_000;

/** How many open to-dos somebody has in each Hub. Counted here: SQLite would sort all of them for it. */
export function assignedCounts(db: Db) {
  const newest = db
    .select({ hubId: items.hubId, status: items.status })
    .from(items)
    .where(and(eq(items.assigneeId, sql.placeholder('personId')), isNull(items.deletedAt)))
    .orderBy(desc(items.rank))
    .limit(LOOK_AT)
    .prepare();
  return (personId: string): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const { hubId, status } of newest.all({ personId })) {
      if (status === 'open') counts.set(hubId, (counts.get(hubId) ?? 0) + 1);
    }
    return counts;
  };
}
