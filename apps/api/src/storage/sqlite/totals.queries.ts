import { and, count, gt, isNull, or, sql, sum } from 'drizzle-orm';
import type { Totals } from '../store.ts';
import type { Db } from './engine/database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';

export function totalsReads(db: Db) {
  const now = sql.placeholder('now');
  const liveHubs = db.select({ n: count() }).from(hubs).where(isNull(hubs.deletedAt)).prepare();
  const usableKeys = db
    .select({ n: count() })
    .from(apiKeys)
    .where(
      and(
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
        or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, now)),
      ),
    )
    .prepare();
  // There are few Hubs, and each stores its number of items; counting a million rows would block every post.
  const items = db
    .select({ n: sum(hubs.itemCount).mapWith(Number) })
    .from(hubs)
    .prepare();

  return {
    totals: (at: number): Totals => ({
      hubs: liveHubs.get()?.n ?? 0,
      keys: usableKeys.get({ now: at })?.n ?? 0,
      items: items.get()?.n ?? 0,
    }),
  };
}
