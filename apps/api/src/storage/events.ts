import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { build, given, inPostgres, listed, query, select, toList } from './engine/query.ts';
import { rawWrite } from './engine/write.ts';
import { hubNumber, type ItemRecord, type ItemRow, itemColumns, joinNames, toItemRecord } from './items.ts';
import { hubs } from './schema/hubs.table.ts';
import { events, items } from './schema/items.table.ts';

export interface EventRecord {
  hubId: string;
  seq: number;
  at: number;
  event: string;
  itemId: string | null;
  /** The data of an event that is not about an item, or the assigner and the assignee if a to-do was assigned. */
  data: Record<string, unknown> | null;
  /** The item as it is now; `null` if it was erased, or the event is not about an item. */
  item: ItemRecord | null;
}

export interface NewEvent extends Pick<EventRecord, 'hubId' | 'at' | 'event' | 'itemId'> {
  data?: Record<string, unknown>;
  addedItems?: number;
}

/** How many events are read at a time, so that a long gap does not fill up memory. */
export const MAX_READ_EVENTS = 200;

const isHub = eq(hubs.id, given('hubId'));
const oldest = sql<
  number | null
>`(select min(${events.seq}) from ${events} where ${events.hubNumber} = ${hubs.number})`;
const { seq, deletedAt, conversationId, notesBucketId, todosBucketId } = hubs;
export const sequencedHub = { seq, deletedAt, conversationId, notesBucketId, todosBucketId };
const findSpan = select({ seq, deletedAt, oldest: oldest.mapWith(events.seq) }, hubs, isHub);
const heads = select({ id: hubs.id, seq }, hubs);
const headsOf = select({ id: hubs.id, seq }, hubs, sql`${hubs.id} in ${listed('hubIds')}`);

/** Selects events in order, with the current state of their items. */
function selectEvents(limit: unknown) {
  const log = build
    .select({ seq: events.seq, at: events.at, event: events.event, itemId: events.itemId, data: events.data })
    .from(events)
    .where(and(eq(events.hubNumber, hubNumber), gt(events.seq, given('after'))))
    .orderBy(asc(events.seq))
    .limit(limit as number)
    .as('log');
  const { seq, at, event, itemId, data } = log;
  const select = build.select({ ...itemColumns, event: { seq, at, event, itemId, data } }).from(log);
  return joinNames(select.leftJoin(items, eq(items.id, log.itemId)).$dynamic());
}
const read = inPostgres(
  query(() => selectEvents(given('limit'))),
  // With a parameter, PostgreSQL would expect many rows, and plan the query for each read, which takes longer than that.
  () => sql`${selectEvents(sql.raw(String(MAX_READ_EVENTS)))} order by log.seq limit ${given('limit')}`,
);

/** The committed events of each Hub, for its followers. Within a Hub, they become visible in the order of their numbers. */
export type EventLog = ReturnType<typeof eventLog>;

export function eventLog(on: Connection) {
  return {
    /** Returns the sequence number of the newest event in each of these Hubs; by default, in every Hub. */
    heads: async (hubIds?: readonly string[]): Promise<Map<string, number>> => {
      const rows = hubIds ? await on.all(headsOf, { hubIds: toList(hubIds) }) : await on.all(heads);
      return new Map(rows.map(({ id, seq }) => [id, seq]));
    },
    /** The oldest kept event (`seq` + 1 if none is kept) and the newest event; `null` for an unknown Hub. */
    span: async (hubId: string): Promise<{ oldest: number; seq: number; deletedAt: number | null } | null> => {
      const span = await on.first(findSpan, { hubId });
      return span ? { ...span, oldest: span.oldest ?? span.seq + 1 } : null;
    },
    /** Returns at most `limit` events after `after`, in order. `limit` is at most `MAX_READ_EVENTS`. */
    read: async (hubId: string, after: number, limit: number): Promise<EventRecord[]> => {
      if (limit > MAX_READ_EVENTS) throw new RangeError(`At most ${MAX_READ_EVENTS} events can be read at once`);
      const rows = await on.all(read, { hubId, after, limit });
      return rows.map(({ event: { data, ...event }, ...item }) => ({
        hubId,
        ...event,
        data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
        item: item.id === null ? null : toItemRecord(item as ItemRow),
      }));
    },
  };
}

const nextSeq = query(() =>
  build
    .update(hubs)
    .set({ seq: sql`${hubs.seq} + 1`, itemCount: sql`${hubs.itemCount} + ${given('addedItems')}` })
    .where(isHub)
    .returning(sequencedHub),
);
/** The state of the Hub after its newest event. */
export type SequencedHub = RowOf<typeof nextSeq>;

const insert = rawWrite(
  sql`insert into ${events} (hub_number, seq, at, event, item_id, data)
    select number, seq, cast(${given('at')} as bigint), cast(${given('event')} as text),
      cast(${given('itemId')} as text), cast(${given('data')} as text)
    from ${hubs} where ${isHub}`,
);

export function eventChanges(on: Connection, report: Pick<CommitReportBuilder, 'event'>) {
  return {
    /**
     * Takes the next number of the Hub, writes the event, and returns the state of the Hub; `undefined` if there is
     * none. Its row stays locked until the transaction ends, so that events become visible in the order of their
     * numbers.
     */
    append: async ({ addedItems = 0, data, ...event }: NewEvent): Promise<SequencedHub | undefined> => {
      const { hubId } = event;
      const [hub] = await Promise.all([
        on.first(nextSeq, { hubId, addedItems }),
        on.run(insert, { ...event, data: data === undefined ? null : JSON.stringify(data) }),
      ]);
      if (hub) report.event(hubId, hub.seq, event.at);
      return hub;
    },
  };
}
