import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { hubNumber } from '../columns.ts';
import type { ItemRowKind } from '../item-store.ts';
import type { DeletedItem, ErasableItem, HubEvents } from '../prune-store.ts';
import { events } from '../schema/events.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { mentions, reactions, touchedItems } from '../schema/item-details.table.ts';
import { items } from '../schema/items.table.ts';
import type { Db } from './engine/database.ts';
import { prepared, SqliteConnection } from './engine/statements.ts';
import type { PostCounts } from './post-counts.ts';

const erasable = {
  rank: items.rank,
  id: items.id,
  kind: items.kind,
  parentId: items.parentId,
  createdAt: items.createdAt,
  deletedAt: items.deletedAt,
  replyCount: items.replyCount,
};

export function pruneReads(db: Db) {
  const hubEvents = prepared(db, () =>
    db
      .select({
        hubId: hubs.id,
        newestSeq: hubs.seq,
        oldestAt: sql<number | null>`(select ${events.at} from ${events} where ${events.hubNumber} = ${hubs.number}
        order by ${events.seq} limit 1)`,
      })
      .from(hubs)
      .where(gt(hubs.id, sql.placeholder('after')))
      .orderBy(asc(hubs.id))
      .limit(sql.placeholder('limit')),
  );
  const nextHub = prepared(db, () =>
    db
      .select({ id: hubs.id })
      .from(hubs)
      .where(and(gt(hubs.id, sql.placeholder('after')), isNotNull(hubs.retentionDays)))
      .orderBy(asc(hubs.id))
      .limit(1),
  );
  const shown = prepared(db, () =>
    db
      .select({ rank: items.rank, createdAt: items.createdAt })
      .from(items)
      // Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index.
      .where(
        sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.placeholder('kind')}
        and (${items.deletedAt} is null or ${items.replyCount} > 0)
        and ${items.rank} > ${sql.placeholder('afterRank')}`,
      )
      .orderBy(asc(items.rank))
      .limit(sql.placeholder('limit')),
  );
  const find = prepared(db, () =>
    db
      .select(erasable)
      .from(items)
      .where(eq(items.rank, sql.placeholder('rank'))),
  );
  const replies = prepared(db, () =>
    db
      .select(erasable)
      .from(items)
      .where(eq(items.parentId, sql.placeholder('parentId')))
      .orderBy(asc(items.rank))
      .limit(sql.placeholder('limit')),
  );
  return {
    listHubEvents: (after: string, limit: number): HubEvents[] => hubEvents.all({ after, limit }),
    nextHubWithRetention: (after: string): string | null => nextHub.get({ after })?.id ?? null,
    listShown: (position: { hubId: string; kind: ItemRowKind; afterRank: number; limit: number }) =>
      shown.all(position),
    findItem: (rank: number): ErasableItem | null => find.get({ rank }) ?? null,
    listReplies: (parentId: string, limit: number): ErasableItem[] => replies.all({ parentId, limit }),
    listDeleted: deletedItemReads(db),
  };
}

function deletedItemReads(db: Db) {
  const { rank, id, createdAt, replyCount } = erasable;
  const columns = {
    rank,
    id,
    createdAt,
    replyCount,
    // Set in every row that matches the conditions.
    deletedAt: sql<number>`${items.deletedAt}`,
    isBlank: sql<number>`${items.title} is null and ${items.body} is null and ${items.blocks} is null`,
    retentionDays: hubs.retentionDays,
  };
  const select = () => db.select(columns).from(items).innerJoin(hubs, eq(hubs.number, items.hubNumber));
  const deletedAtOnce = prepared(db, () =>
    select()
      .where(and(eq(items.deletedAt, sql.placeholder('deletedAt')), gt(items.rank, sql.placeholder('rank'))))
      .orderBy(asc(items.rank))
      .limit(sql.placeholder('limit')),
  );
  const deletedLater = prepared(db, () =>
    select()
      .where(and(isNotNull(items.deletedAt), gt(items.deletedAt, sql.placeholder('deletedAt'))))
      .orderBy(asc(items.deletedAt), asc(items.rank))
      .limit(sql.placeholder('limit')),
  );
  return (after: { deletedAt: number; rank: number }, limit: number): DeletedItem[] => {
    // A removal deletes many items in the same millisecond: their ranks distinguish them.
    const same = deletedAtOnce.all({ ...after, limit });
    const others = same.length === limit ? [] : deletedLater.all({ ...after, limit: limit - same.length });
    return [...same, ...others].map((row) => ({ ...row, isBlank: row.isBlank === 1 }));
  };
}

/** Each function runs inside a transaction. */
export function pruneChanges(db: Db, counts: PostCounts) {
  const on = new SqliteConnection(db);
  const inIds = sql`(select value from json_each(${sql.placeholder('ids')}))`;
  const inRanks = sql`(select value from json_each(${sql.placeholder('ranks')}))`;
  const eraseReactions = prepared(db, () => db.delete(reactions).where(sql`${reactions.itemId} in ${inIds}`));
  const eraseMentions = prepared(db, () => db.delete(mentions).where(sql`${mentions.itemId} in ${inIds}`));
  const eraseRows = prepared(db, () => db.delete(items).where(sql`${items.rank} in ${inRanks}`));
  const blankRows = prepared(db, () =>
    db
      .update(items)
      .set({ title: null, body: null, blocks: null, address: null, requestId: null })
      .where(sql`${items.rank} in ${inRanks}`),
  );
  const touch = prepared(db, () =>
    db.insert(touchedItems).values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') }),
  );
  const recount = prepared(db, () =>
    db
      .update(items)
      .set({
        replyCount: sql`${items.replyCount} - ${sql.placeholder('count')}`,
        // Without an alias, the column would refer to the message itself.
        lastReplyAt: sql`(select reply.created_at from ${items} as reply where reply.parent_id = ${sql.placeholder('id')}
        and reply.deleted_at is null order by reply.rank desc limit 1)`,
      })
      .where(eq(items.id, sql.placeholder('id')))
      .returning({ id: items.id }),
  );
  // An event dated in the future by a wrong clock is erased together with later events, since the log must have no
  // gaps.
  const eraseEvents = prepared(db, () =>
    db
      .delete(events)
      .where(
        sql`${events.hubNumber} = ${hubNumber} and ${events.seq} < ${sql.placeholder('newestSeq')}
        and ${events.seq} <= (select max(seq) from (select seq, at from events
          where hub_number = ${hubNumber} order by seq limit ${sql.placeholder('limit')})
          where at < ${sql.placeholder('cutoff')})`,
      )
      .returning({ seq: events.seq }),
  );
  const eraseTouched = prepared(db, () =>
    db
      .delete(touchedItems)
      .where(
        sql`${touchedItems.id} <= (select max(id) from (select id, at from touched_items order by id
        limit ${sql.placeholder('limit')}) where at < ${sql.placeholder('cutoff')})`,
      )
      .returning({ id: touchedItems.id }),
  );

  const eraseDetails = (rows: readonly { id: string }[]): void => {
    const ids = JSON.stringify(rows.map(({ id }) => id));
    eraseReactions.run({ ids });
    eraseMentions.run({ ids });
  };
  const ranksOf = (rows: readonly { rank: number }[]) => ({ ranks: JSON.stringify(rows.map(({ rank }) => rank)) });

  return {
    eraseEvents: (range: { hubId: string; newestSeq: number; cutoff: number; limit: number }): number =>
      eraseEvents.all(range).length,
    eraseItems: async (rows: readonly Pick<ErasableItem, 'rank' | 'id' | 'deletedAt'>[], at: number): Promise<void> => {
      if (rows.length === 0) return;
      // The search index has already followed the deletion of the others.
      for (const { rank, deletedAt } of rows) if (deletedAt === null) touch.run({ rank, at });
      // If the server is killed, posts not yet counted are counted from their rows later, so those rows must still
      // exist.
      await counts.save(on, new Map());
      eraseDetails(rows);
      eraseRows.run(ranksOf(rows));
    },
    eraseContents: (rows: readonly Pick<ErasableItem, 'rank' | 'id'>[]): void => {
      if (rows.length === 0) return;
      eraseDetails(rows);
      blankRows.run(ranksOf(rows));
    },
    subtractReplies: (id: string, count: number): boolean => recount.get({ id, count }) !== undefined,
    eraseTouched: (range: { cutoff: number; limit: number }): number => eraseTouched.all(range).length,
  };
}
