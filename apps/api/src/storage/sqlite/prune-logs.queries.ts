import { LIMITS } from '@hub/contract';
import { asc, gt, sql } from 'drizzle-orm';
import type { Db } from './engine/database.ts';
import { DAY_MS, type PruneBounds, type Pruned } from './prune-bounds.ts';
import { events } from './tables/events.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { touchedItems } from './tables/item-details.table.ts';

/** Number of Hubs examined in one transaction; most have nothing to erase. */
const HUBS_AT_A_TIME = 200;

/** How long a search index that is not running can lag behind and still catch up; after that, it is rebuilt. */
const TOUCHED_KEPT_DAYS = 7;

/** Each function runs inside a writer transaction. */
export function pruneLogs(db: Db) {
  const oldestOfHubs = db
    .select({
      id: hubs.id,
      seq: hubs.seq,
      oldestAt: sql<number | null>`(select ${events.at} from ${events} where ${events.hubId} = ${hubs.id}
        order by ${events.seq} limit 1)`,
    })
    .from(hubs)
    .where(gt(hubs.id, sql.placeholder('after')))
    .orderBy(asc(hubs.id))
    .limit(HUBS_AT_A_TIME)
    .prepare();
  // An event dated in the future by a wrong clock is erased together with later events, since the log must have no
  // gaps.
  const eraseEvents = db
    .delete(events)
    .where(
      sql`${events.hubId} = ${sql.placeholder('hubId')} and ${events.seq} < ${sql.placeholder('newest')}
        and ${events.seq} <= (select max(seq) from (select seq, at from events
          where hub_id = ${sql.placeholder('hubId')} order by seq limit ${sql.placeholder('limit')})
          where at < ${sql.placeholder('cutoff')})`,
    )
    .returning({ seq: events.seq })
    .prepare();
  const eraseTouched = db
    .delete(touchedItems)
    .where(
      sql`${touchedItems.id} <= (select max(id) from (select id, at from touched_items order by id
        limit ${sql.placeholder('limit')}) where at < ${sql.placeholder('cutoff')})`,
    )
    .returning({ id: touchedItems.id })
    .prepare();

  return {
    /** The newest event of a Hub stays, regardless of its age: it holds the current sequence number. */
    events: (afterHubId: string, { now, limit }: PruneBounds): Pruned => {
      const cutoff = now - LIMITS.eventRetentionDays * DAY_MS;
      const found = oldestOfHubs.all({ after: afterHubId });
      let [erased, done] = [0, afterHubId];
      for (const { id: hubId, seq: newest, oldestAt } of found) {
        if (oldestAt !== null && oldestAt < cutoff) {
          erased += eraseEvents.all({ hubId, newest, cutoff, limit: limit - erased }).length;
          // This Hub may have more events to erase.
          if (erased >= limit) return { erased, next: { phase: 'events', afterHubId: done } };
        }
        done = hubId;
      }
      const isLast = found.length < HUBS_AT_A_TIME;
      return {
        erased,
        next: isLast ? { phase: 'retention', afterHubId: '' } : { phase: 'events', afterHubId: done },
      };
    },
    touched: ({ now, limit }: PruneBounds): Pruned => {
      const erased = eraseTouched.all({ cutoff: now - TOUCHED_KEPT_DAYS * DAY_MS, limit }).length;
      return { erased, next: erased < limit ? null : { phase: 'touched' } };
    },
  };
}
