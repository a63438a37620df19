import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { EventLog, EventRecord } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import { selectItems, toItemRecord } from './item-records.ts';
import { events } from './tables/events.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';

/** Reads committed events. Synchronous, so that nothing is missed between reading and subscribing. */
export function eventLog(db: Db): EventLog {
  const findSpan = db
    .select({
      seq: hubs.seq,
      deletedAt: hubs.deletedAt,
      oldest: sql<number | null>`(select min(${events.seq}) from ${events} where ${events.hubId} = ${hubs.id})`,
    })
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('hubId')))
    .prepare();
  const heads = db.select({ id: hubs.id, seq: hubs.seq }).from(hubs).prepare();
  const read = db
    .select()
    .from(events)
    .where(and(eq(events.hubId, sql.placeholder('hubId')), gt(events.seq, sql.placeholder('after'))))
    .orderBy(asc(events.seq))
    .limit(sql.placeholder('limit'))
    .prepare();
  const findItem = selectItems(db)
    .where(eq(items.id, sql.placeholder('itemId')))
    .prepare();

  const toRecord = ({ data, ...event }: typeof events.$inferSelect): EventRecord => {
    const row = event.itemId === null ? undefined : findItem.get({ itemId: event.itemId });
    return {
      ...event,
      data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
      item: row ? toItemRecord(row) : null,
    };
  };

  return {
    heads: () => new Map(heads.all().map(({ id, seq }) => [id, seq])),
    span: (hubId) => {
      const found = findSpan.get({ hubId });
      return found ? { ...found, oldest: found.oldest ?? found.seq + 1 } : null;
    },
    read: (hubId, after, limit) => read.all({ hubId, after, limit }).map(toRecord),
  };
}
