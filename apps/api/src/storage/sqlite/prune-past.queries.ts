import { asc, eq, sql } from 'drizzle-orm';
import { isoTime } from '../../time.ts';
import type { RetentionSurvey } from '../prune-store.ts';
import type { Db } from './engine/database.ts';
import type { EraseWrites } from './erase.queries.ts';
import type { EventWrites } from './events.queries.ts';
import type { PruneBounds } from './prune-bounds.ts';
import { touchedItems } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

const EVENT_OF = { message: 'message', reply: 'message', note: 'note', todo: 'todo' } as const;

const columns = {
  rank: items.rank,
  id: items.id,
  kind: items.kind,
  parentId: items.parentId,
  deletedAt: items.deletedAt,
  createdAt: items.createdAt,
  replyCount: items.replyCount,
};
type Row = { [Name in keyof typeof columns]: (typeof items.$inferSelect)[Name] };

export type PastErasure = ReturnType<typeof pastErasure>;

/**
 * Erases the oldest items found by a survey, with all replies to them, however recent. One event states the time before
 * which the Hub has no items left, which is true after each transaction. Each erased item that is more recent gets its
 * own event. Runs inside a writer transaction.
 */
export function pastErasure(db: Db, { events, erase }: { events: EventWrites; erase: EraseWrites }) {
  const at = db
    .select(columns)
    .from(items)
    .where(eq(items.rank, sql.placeholder('rank')))
    .prepare();
  const repliesTo = db
    .select(columns)
    .from(items)
    .where(eq(items.parentId, sql.placeholder('parentId')))
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit'))
    .prepare();
  const recount = db
    .update(items)
    .set({
      replyCount: sql`${items.replyCount} - ${sql.placeholder('gone')}`,
      // Without an alias, the column would refer to the message itself.
      lastReplyAt: sql`(select reply.created_at from ${items} as reply where reply.parent_id = ${sql.placeholder('id')}
        and reply.deleted_at is null order by reply.rank desc limit 1)`,
    })
    .where(eq(items.id, sql.placeholder('id')))
    .returning({ id: items.id })
    .prepare();
  const touch = db
    .insert(touchedItems)
    .values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') })
    .prepare();

  /**
   * Returns the rows to erase now, and how many entries of the survey are complete after that. A very long thread is
   * erased in several steps.
   */
  const takeOldest = (past: RetentionSurvey['past'], limit: number): { gone: Map<number, Row>; done: number } => {
    const gone = new Map<number, Row>();
    let done = 0;
    for (; done < past.length && gone.size < limit; done += 1) {
      const row = at.get({ rank: past[done]?.[1] ?? 0 });
      // The item was erased with its message, or is no longer in any list.
      if (!row || (row.deletedAt !== null && row.replyCount === 0)) continue;
      const room = limit - gone.size;
      const replies = row.kind === 'message' ? repliesTo.all({ parentId: row.id, limit: room }) : [];
      for (const reply of replies) gone.set(reply.rank, reply);
      if (replies.length === room) break;
      gone.set(row.rank, row);
    }
    return { gone, done };
  };

  /** Returns the number of erased replies for each message that stays. */
  const lostReplies = (gone: readonly Row[]): Map<string, number> => {
    const erased = new Set(gone.map(({ id }) => id));
    const lost = new Map<string, number>();
    for (const { parentId, deletedAt } of gone) {
      if (parentId === null || deletedAt !== null || erased.has(parentId)) continue;
      lost.set(parentId, (lost.get(parentId) ?? 0) + 1);
    }
    return lost;
  };

  return ({ hubId, past, bound }: RetentionSurvey, { now, limit }: PruneBounds) => {
    const { gone, done } = takeOldest(past, limit);
    const left = past.slice(done);
    const rows = [...gone.values()];
    const before = left[0]?.[0] ?? bound;
    const live = rows.filter(({ deletedAt }) => deletedAt === null);
    for (const { rank } of live) touch.run({ rank, at: now });
    erase.items(rows);
    const isShown = (row: Row): boolean => row.deletedAt === null || row.replyCount > 0;
    const single = rows.filter((row) => row.createdAt >= before && isShown(row));
    for (const { id: itemId, kind, deletedAt } of single) {
      const event = `${EVENT_OF[kind]}.deleted`;
      events.append({ hubId, at: now, event, itemId, addedItems: deletedAt === null ? -1 : 0 });
    }
    for (const [id, count] of lostReplies(rows)) {
      const parent = recount.get({ id, gone: count });
      if (parent) events.append({ hubId, at: now, event: 'message.changed', itemId: id });
    }
    if (rows.some(({ createdAt }) => createdAt < before)) {
      const addedItems = -live.filter(({ createdAt }) => createdAt < before).length;
      const data = { before: isoTime(before) };
      events.append({ hubId, at: now, event: 'items.pruned', itemId: null, data, addedItems });
    }
    return { erased: rows.length, left };
  };
}
