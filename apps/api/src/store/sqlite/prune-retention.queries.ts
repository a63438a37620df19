import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { isoTime } from '../../time.ts';
import type { Db } from './database.ts';
import type { EraseWrites } from './erase.queries.ts';
import type { EventWrites } from './events.queries.ts';
import { DAY_MS, type PruneBounds, type Pruned } from './prune-bounds.ts';
import { hubs } from './tables/hubs.table.ts';
import { touchedItems } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

const HUBS_AT_A_TIME = 200;
const KINDS = ['message', 'note', 'todo'] as const;

interface Row {
  rank: number;
  id: string;
  deletedAt: number | null;
  createdAt: number;
}

/**
 * Erases what is older than its Hub keeps, with the replies to it, however young they are. Each transaction that erases
 * something tells so by one event, and of younger replies, of which that says nothing, by one each. Runs inside a
 * transaction of the writer.
 */
export function pruneRetention(db: Db, { events, erase }: { events: EventWrites; erase: EraseWrites }) {
  const columns = { rank: items.rank, id: items.id, deletedAt: items.deletedAt, createdAt: items.createdAt };
  const hubsWithRetention = db
    .select({ id: hubs.id, retentionDays: hubs.retentionDays })
    .from(hubs)
    .where(and(gt(hubs.id, sql.placeholder('after')), isNotNull(hubs.retentionDays)))
    .orderBy(asc(hubs.id))
    .limit(HUBS_AT_A_TIME)
    .prepare();
  const oldest = db
    .select(columns)
    .from(items)
    // In the very words of the index `items_by_hub`, which SQLite does not use otherwise.
    .where(
      sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')}
        and (${items.deletedAt} is null or ${items.replyCount} > 0)`,
    )
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();
  const repliesTo = db
    .select(columns)
    .from(items)
    .where(eq(items.parentId, sql.placeholder('parentId')))
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();
  const discount = db
    .update(items)
    .set({ replyCount: sql`${items.replyCount} - ${sql.placeholder('gone')}` })
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();
  const touch = db
    .insert(touchedItems)
    .values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') })
    .prepare();

  /** The message with its replies; without it, if those are more than there is room for: then it goes another time. */
  const withReplies = (message: Row, room: number): Row[] => {
    const replies = repliesTo.all({ parentId: message.id, limit: room });
    if (replies.length < room) return [...replies, message];
    discount.run({ id: message.id, gone: replies.filter(isLive).length });
    return replies;
  };
  const pastItems = (hubId: string, cutoff: number, limit: number): Row[] => {
    const past: Row[] = [];
    for (const kind of KINDS) {
      if (past.length >= limit) break;
      for (const row of oldest.all({ hubId, kind, limit: limit - past.length })) {
        if (row.createdAt >= cutoff || past.length >= limit) break;
        past.push(...(kind === 'message' ? withReplies(row, limit - past.length) : [row]));
      }
    }
    return past;
  };
  const eraseFrom = (hubId: string, cutoff: number, { now, limit }: PruneBounds): number => {
    const past = pastItems(hubId, cutoff, limit);
    if (past.length === 0) return 0;
    const live = past.filter(isLive);
    for (const { rank } of live) touch.run({ rank, at: now });
    erase.items(past);
    const young = live.filter(({ createdAt }) => createdAt >= cutoff);
    for (const { id: itemId } of young) {
      events.append({ hubId, at: now, event: 'message.deleted', itemId, addedItems: -1 });
    }
    const addedItems = young.length - live.length;
    const data = { before: isoTime(cutoff) };
    events.append({ hubId, at: now, event: 'items.pruned', itemId: null, data, addedItems });
    return past.length;
  };

  return (afterHubId: string, { now, limit }: PruneBounds): Pruned => {
    const found = hubsWithRetention.all({ after: afterHubId });
    let [erased, done] = [0, afterHubId];
    for (const { id: hubId, retentionDays } of found) {
      const cutoff = now - (retentionDays ?? Number.POSITIVE_INFINITY) * DAY_MS;
      erased += eraseFrom(hubId, cutoff, { now, limit: limit - erased });
      if (erased >= limit) return { erased, next: { stage: 'retention', afterHubId: done } };
      done = hubId;
    }
    const isLast = found.length < HUBS_AT_A_TIME;
    return {
      erased,
      next: isLast ? { stage: 'deleted', deletedAt: 0, rank: 0 } : { stage: 'retention', afterHubId: done },
    };
  };
}

const isLive = ({ deletedAt }: Row): boolean => deletedAt === null;
