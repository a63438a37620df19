import { type PerKind, perKind, type WireKind } from '@hub/contract';
import { max, sql } from 'drizzle-orm';
import type { ItemRowKind } from '../item-store.ts';
import type { MembershipRecord } from '../users-store.ts';
import type { Db } from './database.ts';
import { items } from './tables/items.table.ts';

/** Whatever is written into a conversation has one mark. Of it only messages count: a reply comes up by its message. */
const ROWS_OF: Record<WireKind, readonly ItemRowKind[]> = {
  message: ['message', 'reply'],
  note: ['note'],
  todo: ['todo'],
};

/**
 * So many rows are looked at for unread ones at most, newest first. Only somebody who wrote as many items of his own
 * and read none of the others' between them can have more.
 */
const LOOK_AT = 1_000;

/** In the very words of the index `items_by_hub`, which SQLite does not use otherwise. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')} and ${inIndex}`;

export function unreadReads(db: Db) {
  const recent = db
    .select({ authorKind: items.authorKind, authorId: items.authorId, deletedAt: items.deletedAt })
    .from(items)
    .where(sql`${ofKind} and ${items.rank} > ${sql.placeholder('rank')}`)
    .orderBy(sql`${items.rank} desc`)
    .limit(LOOK_AT)
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
   * Within one kind of one Hub, rank and number rise together: halving the span of the ranks finds the place with as many
   * seeks in the index as the span has binary digits, however many items lie between.
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
    /** Items of others behind the marks, each kind counted up to `limit`. */
    count: ({ hubId, personId, readRanks }: MembershipRecord, limit: number): PerKind<number> =>
      perKind((kind) => count.get({ hubId, kind, rank: readRanks[kind], personId, limit })?.n ?? 0),
    /** The greatest rank of an item of this kind in the Hub that was announced by `seq` at the latest; `from` is known to be. */
    rankUpTo: (kind: WireKind, query: { hubId: string; seq: number; from: number }): number =>
      Math.max(...ROWS_OF[kind].map((rows) => rankOfKind(rows, query))),
  };
}
