import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { hubNumber } from '../columns.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { EventRecord, NewEvent, SequencedHub } from '../event-store.ts';
import { events } from '../schema/events.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { items } from '../schema/items.table.ts';
import type { Db } from './engine/database.ts';
import { boundStatement, prepared } from './engine/statements.ts';
import { selectItems, toItemRecord } from './items.ts';

type EventRow = Omit<typeof events.$inferSelect, 'hubNumber'>;

/** Reads committed events. */
export function eventLog(db: Db) {
  const findSpan = prepared(db, () =>
    db
      .select({
        seq: hubs.seq,
        deletedAt: hubs.deletedAt,
        oldest: sql<
          number | null
        >`(select min(${events.seq}) from ${events} where ${events.hubNumber} = ${hubs.number})`,
      })
      .from(hubs)
      .where(eq(hubs.id, sql.placeholder('hubId'))),
  );
  const heads = prepared(db, () => db.select({ id: hubs.id, seq: hubs.seq }).from(hubs));
  const findHead = prepared(db, () =>
    db
      .select({ seq: hubs.seq })
      .from(hubs)
      .where(eq(hubs.id, sql.placeholder('hubId'))),
  );
  const read = prepared(db, () =>
    db
      .select({ seq: events.seq, at: events.at, event: events.event, itemId: events.itemId, data: events.data })
      .from(events)
      .where(and(eq(events.hubNumber, hubNumber), gt(events.seq, sql.placeholder('after'))))
      .orderBy(asc(events.seq))
      .limit(sql.placeholder('limit')),
  );
  const findItem = prepared(db, () => selectItems(db).where(eq(items.id, sql.placeholder('itemId'))));

  const toRecord = (hubId: string, { data, ...event }: EventRow): EventRecord => {
    const row = event.itemId === null ? undefined : findItem.get({ itemId: event.itemId });
    return {
      hubId,
      ...event,
      data: data === null ? null : (JSON.parse(data) as Record<string, unknown>),
      item: row ? toItemRecord(row) : null,
    };
  };

  return {
    heads: (hubIds?: readonly string[]) => {
      if (!hubIds) return new Map(heads.all().map(({ id, seq }) => [id, seq]));
      return new Map(hubIds.map((hubId) => [hubId, findHead.get({ hubId })?.seq ?? 0]));
    },
    span: (hubId: string) => {
      const found = findSpan.get({ hubId });
      return found ? { ...found, oldest: found.oldest ?? found.seq + 1 } : null;
    },
    read: (hubId: string, after: number, limit: number) =>
      read.all({ hubId, after, limit }).map((row) => toRecord(hubId, row)),
  };
}

/** A Hub after an event, with the number by which events and items refer to it. */
export interface NumberedHub extends SequencedHub {
  number: number;
}

export const sequencedHubColumns = {
  number: hubs.number,
  seq: hubs.seq,
  deletedAt: hubs.deletedAt,
  conversationId: hubs.conversationId,
  notesBucketId: hubs.notesBucketId,
  todosBucketId: hubs.todosBucketId,
};
export type SequencedHubRow = [number, number, number | null, string, string, string];

export function sequencedHub(row: SequencedHubRow): NumberedHub {
  const [number, seq, deletedAt, conversationId, notesBucketId, todosBucketId] = row;
  return { number, seq, deletedAt, conversationId, notesBucketId, todosBucketId };
}

export function eventInsert(db: Db) {
  return boundStatement(db, () =>
    db.insert(events).values({
      hubNumber: sql.placeholder('number'),
      seq: sql.placeholder('seq'),
      at: sql.placeholder('at'),
      event: sql.placeholder('event'),
      itemId: sql.placeholder('itemId'),
      data: sql.placeholder('data'),
    }),
  );
}

/** Each function runs inside a writer transaction, so a sequence number is either written or not used up. */
export function eventWrites(db: Db, commitReport: CommitReportBuilder) {
  const nextSeq = boundStatement(db, () =>
    db
      .update(hubs)
      .set({ seq: sql`${hubs.seq} + 1`, itemCount: sql`${hubs.itemCount} + ${sql.placeholder('addedItems')}` })
      .where(eq(hubs.id, sql.placeholder('hubId')))
      .returning(sequencedHubColumns),
  );
  const insert = eventInsert(db);

  return {
    /** Takes the next sequence number of the Hub, writes the event, and returns the current state of the Hub. */
    append: ({ addedItems = 0, data, ...event }: NewEvent): SequencedHub | undefined => {
      const row = nextSeq.first({ hubId: event.hubId, addedItems });
      if (!row) return undefined;
      const hub = sequencedHub(row as SequencedHubRow);
      const { number, seq } = hub;
      insert.run({ ...event, number, seq, data: data === undefined ? null : JSON.stringify(data) });
      commitReport.event(event.hubId, seq);
      return hub;
    },
  };
}
