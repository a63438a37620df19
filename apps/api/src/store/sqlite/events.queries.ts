import { eq, sql } from 'drizzle-orm';
import type { CommitNotes } from './commit-notes.ts';
import type { Db } from './database.ts';
import { events } from './tables/events.table.ts';
import { hubs } from './tables/hubs.table.ts';

export interface NewEvent {
  hubId: string;
  at: number;
  event: string;
  itemId: string | null;
  /** What the event tells, if it is not of an item. */
  data?: Record<string, unknown>;
  /** By how many the items of the Hub become more with it. */
  addedItems?: number;
}

/** The Hub as its newest event left it. */
export interface SequencedHub {
  seq: number;
  deletedAt: number | null;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
}

export type EventWrites = ReturnType<typeof eventWrites>;

/** Each function runs inside a transaction of the writer, so a number that is taken is written or given back. */
export function eventWrites(db: Db, notes: CommitNotes) {
  const nextSeq = db
    .update(hubs)
    .set({ seq: sql`${hubs.seq} + 1`, itemCount: sql`${hubs.itemCount} + ${sql.placeholder('addedItems')}` })
    .where(eq(hubs.id, sql.placeholder('hubId')))
    .returning({
      seq: hubs.seq,
      deletedAt: hubs.deletedAt,
      conversationId: hubs.conversationId,
      notesBucketId: hubs.notesBucketId,
      todosBucketId: hubs.todosBucketId,
    })
    .prepare();
  const insert = db
    .insert(events)
    .values({
      hubId: sql.placeholder('hubId'),
      seq: sql.placeholder('seq'),
      at: sql.placeholder('at'),
      event: sql.placeholder('event'),
      itemId: sql.placeholder('itemId'),
      data: sql.placeholder('data'),
    })
    .prepare();

  return {
    /** Takes the Hub's next sequence number, writes the event under it, and says what the Hub is now. */
    append: ({ addedItems = 0, data, ...event }: NewEvent): SequencedHub | undefined => {
      const hub = nextSeq.get({ hubId: event.hubId, addedItems });
      if (!hub) return undefined;
      insert.run({ ...event, seq: hub.seq, data: data === undefined ? null : JSON.stringify(data) });
      notes.event(event.hubId);
      return hub;
    },
  };
}
