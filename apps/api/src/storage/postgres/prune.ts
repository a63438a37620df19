import { and, asc, eq, gt, isNotNull, or, sql } from 'drizzle-orm';
import type { ItemRowKind } from '../item-store.ts';
import type { DeletedItem, ErasableItem, HubEvents } from '../prune-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { hubNumber } from './hubs.ts';
import { newestReplyAt } from './items.ts';
import { events } from './tables/events.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { itemTerms, mentions, reactions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

const erasable = {
  rank: items.rank,
  id: items.id,
  kind: items.kind,
  parentId: items.parentId,
  createdAt: items.createdAt,
  deletedAt: items.deletedAt,
  replyCount: items.replyCount,
};

const hubEvents = statement(
  build
    .select({
      hubId: hubs.id,
      newestSeq: hubs.seq,
      oldestAt: sql`(select ${events.at} from ${events} where ${events.hubNumber} = ${hubs.number}
        order by ${events.seq} limit 1)`.mapWith(events.at),
    })
    .from(hubs)
    .where(gt(hubs.id, sql.placeholder('after')))
    .orderBy(asc(hubs.id))
    .limit(sql.placeholder('limit')),
);
const nextHub = statement(
  build
    .select({ id: hubs.id })
    .from(hubs)
    .where(and(gt(hubs.id, sql.placeholder('after')), isNotNull(hubs.retentionDays)))
    .orderBy(asc(hubs.id))
    .limit(1),
);
const shown = statement(
  build
    .select({ rank: items.rank, createdAt: items.createdAt })
    .from(items)
    .where(
      sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.placeholder('kind')}
        and (${items.deletedAt} is null or ${items.replyCount} > 0)
        and ${items.rank} > ${sql.placeholder('afterRank')}`,
    )
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit')),
);
const find = statement(
  build
    .select(erasable)
    .from(items)
    .where(eq(items.rank, sql.placeholder('rank')))
    .for('no key update'),
);
const replies = statement(
  build
    .select(erasable)
    .from(items)
    .where(eq(items.parentId, sql.placeholder('parentId')))
    .orderBy(asc(items.rank))
    .limit(sql.placeholder('limit')),
);
// A removal deletes many items in the same millisecond: their ranks distinguish them.
const deleted = statement(
  build
    .select({
      rank: items.rank,
      id: items.id,
      createdAt: items.createdAt,
      replyCount: items.replyCount,
      // Set in every row that matches the conditions.
      deletedAt: sql`${items.deletedAt}`.mapWith(Number),
      isBlank: sql<boolean>`${items.title} is null and ${items.body} is null and ${items.blocks} is null`,
      retentionDays: hubs.retentionDays,
    })
    .from(items)
    .innerJoin(hubs, eq(hubs.number, items.hubNumber))
    .where(
      and(
        isNotNull(items.deletedAt),
        or(
          gt(items.deletedAt, sql.placeholder('deletedAt')),
          and(eq(items.deletedAt, sql.placeholder('deletedAt')), gt(items.rank, sql.placeholder('rank'))),
        ),
      ),
    )
    .orderBy(asc(items.deletedAt), asc(items.rank))
    .limit(sql.placeholder('limit'))
    // One that is being restored now must not be erased; others that are skipped wait for the next run.
    .for('update', { of: items, skipLocked: true }),
);

const inIds = sql`any(${sql.placeholder('ids')}::text[])`;
const inRanks = sql`any(${sql.placeholder('ranks')}::bigint[])`;
const eraseReactions = statement(build.delete(reactions).where(sql`${reactions.itemId} = ${inIds}`));
const eraseMentions = statement(build.delete(mentions).where(sql`${mentions.itemId} = ${inIds}`));
const eraseTerms = statement(build.delete(itemTerms).where(sql`${itemTerms.rank} = ${inRanks}`));
const eraseRows = statement(build.delete(items).where(sql`${items.rank} = ${inRanks}`));
const blankRows = statement(
  build
    .update(items)
    .set({ title: null, body: null, blocks: null, address: null, requestId: null })
    .where(sql`${items.rank} = ${inRanks}`),
);
const recount = statement(
  build
    .update(items)
    .set({ replyCount: sql`${items.replyCount} - ${sql.placeholder('count')}`, lastReplyAt: newestReplyAt })
    .where(eq(items.id, sql.placeholder('id')))
    .returning({ id: items.id }),
);
// An event dated in the future by a wrong clock is erased together with later events, since the log must have no gaps.
const eraseEvents = statement(
  build.delete(events).where(
    sql`${events.hubNumber} = ${hubNumber} and ${events.seq} < ${sql.placeholder('newestSeq')}
      and ${events.seq} <= (select max(seq) from (select seq, at from events
        where hub_number = ${hubNumber} order by seq limit ${sql.placeholder('limit')}::bigint) as oldest
        where at < ${sql.placeholder('cutoff')}::bigint)`,
  ),
);

export function pruneChanges(on: Connection) {
  const eraseDetails = async (rows: readonly { id: string; rank: number }[]): Promise<{ ranks: number[] }> => {
    const [ids, ranks] = [rows.map(({ id }) => id), rows.map(({ rank }) => rank)];
    await on.run(eraseReactions, { ids });
    await on.run(eraseMentions, { ids });
    await on.run(eraseTerms, { ranks });
    return { ranks };
  };
  return {
    listHubEvents: (after: string, limit: number): Promise<HubEvents[]> => on.all(hubEvents, { after, limit }),
    nextHubWithRetention: async (after: string): Promise<string | null> =>
      (await on.first(nextHub, { after }))?.id ?? null,
    listShown: (position: { hubId: string; kind: ItemRowKind; afterRank: number; limit: number }) =>
      on.all(shown, position),
    findItem: async (rank: number): Promise<ErasableItem | null> => (await on.first(find, { rank })) ?? null,
    listReplies: (parentId: string, limit: number): Promise<ErasableItem[]> => on.all(replies, { parentId, limit }),
    listDeleted: (after: { deletedAt: number; rank: number }, limit: number): Promise<DeletedItem[]> =>
      on.all(deleted, { ...after, limit }),
    eraseEvents: (range: { hubId: string; newestSeq: number; cutoff: number; limit: number }): Promise<number> =>
      on.run(eraseEvents, range),
    eraseItems: async (rows: readonly Pick<ErasableItem, 'rank' | 'id'>[]): Promise<void> => {
      if (rows.length > 0) await on.run(eraseRows, await eraseDetails(rows));
    },
    eraseContents: async (rows: readonly Pick<ErasableItem, 'rank' | 'id'>[]): Promise<void> => {
      if (rows.length > 0) await on.run(blankRows, await eraseDetails(rows));
    },
    subtractReplies: async (id: string, count: number): Promise<boolean> =>
      (await on.first(recount, { id, count })) !== undefined,
    /** Searches read the words of items from the database itself, so no changes are recorded for an index. */
    eraseTouched: async (): Promise<number> => 0,
  };
}
