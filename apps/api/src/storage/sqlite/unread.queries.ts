import { type PerKind, perKind, type WireKind } from '@hub/contract';
import { max, sql } from 'drizzle-orm';
import type { ItemRowKind } from '../item-store.ts';
import type { MembershipRecord } from '../users-store.ts';
import type { Db } from './engine/database.ts';
import { items } from './tables/items.table.ts';

/** The kinds of rows that each read mark covers: a conversation has a single read mark for messages and replies. */
const ROWS_OF: Record<WireKind, readonly ItemRowKind[]> = {
  message: ['message', 'reply'],
  note: ['note'],
  todo: ['todo'],
};

/**
 * Maximum number of rows examined to count the unread ones, newest first. The count can be too low only for users who
 * have themselves written many items without reading those by others in between.
 */
const MAX_EXAMINED = 1_000;

/** Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')} and ${inIndex}`;

export function unreadReads(db: Db) {
  const recent = db
    .select({ authorKind: items.authorKind, authorId: items.authorId, deletedAt: items.deletedAt })
    .from(items)
    .where(sql`${ofKind} and ${items.rank} > ${sql.placeholder('rank')}`)
    .orderBy(sql`${items.rank} desc`)
    .limit(MAX_EXAMINED)
    .as('recent');
  const unread = db
    .select({ one: sql`1` })
    .from(recent)
    .where(
      sql`${recent.deletedAt} is null and (${recent.authorKind} <> 'person' or ${recent.authorId} <> ${sql.placeholder('personId')})`,
    )
    .limit(sql.placeholder('limit'))
    .as('unread');
  const count = db.select({ n: sql<number>`count(*)` }).from(unread).prepare();
  const nextAt = db
    .select({ rank: items.rank, seq: items.seq })
    .from(items)
    .where(sql`${ofKind} and ${items.rank} >= ${sql.placeholder('rank')}`)
    .orderBy(items.rank)
    .limit(1)
    .prepare();
  const newest = db
    .select({ rank: max(items.rank) })
    .from(items)
    .prepare();

  /**
   * Within one kind of item in a Hub, rank and sequence number rise together. So a binary search over a range of n
   * ranks takes about log2(n) index look-ups, however many items are in the range.
   */
  const rankOfKind = (kind: ItemRowKind, { hubId, seq, from }: { hubId: string; seq: number; from: number }) => {
    let low = from;
    let beyond = (newest.get()?.rank ?? 0) + 1;
    while (low + 1 < beyond) {
      const middle = Math.floor((low + beyond) / 2);
      const item = nextAt.get({ hubId, kind, rank: middle });
      if (item && item.seq <= seq) low = item.rank;
      else beyond = middle;
    }
    return low;
  };

  return {
    /** Counts the items by others after the read marks, each kind up to `limit`. */
    count: ({ hubId, personId, readRanks }: MembershipRecord, limit: number): PerKind<number> =>
      perKind((kind) => count.get({ hubId, kind, rank: readRanks[kind], personId, limit })?.n ?? 0),
    /**
     * Returns the highest rank of the items of this kind in the Hub that were announced by the event `seq` or earlier
     * ones. The search starts at the rank `from`, which must not be higher than the result.
     */
    rankUpTo: (kind: WireKind, query: { hubId: string; seq: number; from: number }): number =>
      Math.max(...ROWS_OF[kind].map((rows) => rankOfKind(rows, query))),
  };
}
