import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { type EventLog, MAX_READ_EVENTS, type NewEvent, type SequencedHub } from '../event-store.ts';
import type { Connection, ReadConnection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { hubNumber } from './hubs.ts';
import { selectItems, toItemRecord } from './items.ts';
import { events } from './tables/events.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';

const findSpan = statement(
  build
    .select({
      seq: hubs.seq,
      deletedAt: hubs.deletedAt,
      oldest: sql<number | null>`(select min(${events.seq}) from ${events} where ${events.hubNumber} = ${hubs.number})`,
    })
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('hubId'))),
);
const heads = statement(build.select({ id: hubs.id, seq: hubs.seq }).from(hubs));
const headsOf = statement(
  build
    .select({ id: hubs.id, seq: hubs.seq })
    .from(hubs)
    .where(sql`${hubs.id} = any(${sql.placeholder('hubIds')}::text[])`),
);
const log = build
  .select({ seq: events.seq, at: events.at, event: events.event, itemId: events.itemId, data: events.data })
  .from(events)
  .where(and(eq(events.hubNumber, hubNumber), gt(events.seq, sql.placeholder('after'))))
  .orderBy(asc(events.seq))
  // Not a parameter: PostgreSQL would expect many rows, and plan the statement for each read, which takes longer than that.
  .limit(sql.raw(String(MAX_READ_EVENTS)) as unknown as number)
  .as('log');
/** Reads events with the current state of their items, in one round trip. */
const read = statement(
  selectItems({ event: { seq: log.seq, at: log.at, event: log.event, itemId: log.itemId, data: log.data } })
    .rightJoin(log, eq(log.itemId, items.id))
    .orderBy(asc(log.seq))
    .limit(sql.placeholder('limit')),
);

/** Reads committed events. Within a Hub, they become visible in the order of their numbers. */
export function eventLog(on: ReadConnection): EventLog {
  return {
    heads: async (hubIds) => {
      const found = hubIds ? await on.all(headsOf, { hubIds: [...hubIds] }) : await on.all(heads);
      return new Map(found.map(({ id, seq }) => [id, seq]));
    },
    span: async (hubId) => {
      const found = await on.first(findSpan, { hubId });
      if (!found) return null;
      const { seq, deletedAt, oldest } = found;
      return { seq, deletedAt, oldest: oldest === null ? seq + 1 : Number(oldest) };
    },
    read: async (hubId, after, limit) => {
      if (limit > MAX_READ_EVENTS) throw new RangeError(`At most ${MAX_READ_EVENTS} events can be read at once`);
      const rows = await on.all(read, { hubId, after, limit });
      return rows.map(({ event: { data, ...event }, ...item }) => ({
        hubId,
        ...event,
        data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
        item: item.id === null ? null : toItemRecord(item),
      }));
    },
  };
}

/**
 * Takes the next number and writes the event in one round trip. The row of the Hub stays locked until the transaction
 * ends, so that events become visible in the order of their numbers.
 */
const append = rawStatement(
  sql`with hub as (
      update hubs set seq = seq + 1, item_count = item_count + ${sql.placeholder('addedItems')}
        where id = ${sql.placeholder('hubId')}
        returning number, seq, deleted_at, conversation_id, notes_bucket_id, todos_bucket_id),
    event as (
      insert into events (hub_number, seq, at, event, item_id, data)
        select number, seq, ${sql.placeholder('at')}::bigint, ${sql.placeholder('event')}::text,
          ${sql.placeholder('itemId')}::text, ${sql.placeholder('data')}::text from hub)
    select seq, deleted_at, conversation_id, notes_bucket_id, todos_bucket_id from hub`,
  ([seq, deletedAt, conversationId, notesBucketId, todosBucketId]: SequencedHubRow): SequencedHub => ({
    seq: Number(seq),
    deletedAt: deletedAt === null ? null : Number(deletedAt),
    conversationId,
    notesBucketId,
    todosBucketId,
  }),
);

type SequencedHubRow = [seq: string, deletedAt: string | null, string, string, string];

export function eventChanges(on: Connection, report: CommitReportBuilder) {
  return {
    /** Takes the next sequence number of the Hub, writes the event, and returns the current state of the Hub. */
    append: async ({ addedItems = 0, data, ...event }: NewEvent): Promise<SequencedHub | undefined> => {
      const values = { ...event, addedItems, data: data === undefined ? null : JSON.stringify(data) };
      const hub = await on.first(append, values);
      if (hub) report.event(event.hubId, hub.seq);
      return hub;
    },
  };
}
