import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { Connection, RowOf } from './engine/connection.ts';
import { given, inPostgres, listed, listedNumbers, select, toList } from './engine/query.ts';
import { deleteFrom, update } from './engine/write.ts';
import { release } from './files.ts';
import { hubNumber, type ItemIndexing, type ItemRowKind, isListed } from './items.ts';
import type { KeyCounting } from './key-usage.ts';
import { notificationModes } from './notifications.ts';
import { openQuestions } from './open-questions.ts';
import { pins } from './pins.ts';
import { hubs } from './schema/hubs.table.ts';
import { events, items, mentions, reactions } from './schema/items.table.ts';
import { todoChanges } from './todo-changes.ts';

const { globalSeq, id, kind, parentId, createdAt, deletedAt, replyCount } = items;
const erasable = { globalSeq, id, kind, parentId, createdAt, deletedAt, replyCount };
const limit = given('limit');
const afterHub = gt(hubs.id, given('afterHubId'));

const oldestAt = sql<number | null>`(select ${events.at} from ${events} where ${events.hubNumber} = ${hubs.number}
  order by ${events.seq} limit 1)`.mapWith(events.at);
const inOrder = { orderBy: asc(hubs.id), limit };
const hubEvents = select({ hubId: hubs.id, newestSeq: hubs.seq, oldestAt }, hubs, afterHub, inOrder);
// An event dated in the future by a wrong clock is erased together with later events, since the log must have no gaps.
const eraseEvents = deleteFrom(
  events,
  sql`${events.hubNumber} = ${hubNumber} and ${events.seq} < ${given('newestSeq')}
        and ${events.seq} <= (select max(seq) from (select seq, at from events
          where hub_number = ${hubNumber} order by seq limit ${limit}) as oldest
          where at < ${given('cutoff')})`,
);
const nextHub = select({ id: hubs.id }, hubs, and(afterHub, isNotNull(hubs.retentionDays)), { ...inOrder, limit: 1 });
const shown = select(
  { globalSeq, createdAt },
  items,
  sql`${items.hubNumber} = ${hubNumber} and ${kind} = ${given('kind')} and ${isListed}
    and ${globalSeq} > ${given('afterGlobalSeq')}`,
  { orderBy: asc(globalSeq), limit },
);
const find = select(erasable, items, eq(globalSeq, given('globalSeq')));
const replies = select(erasable, items, eq(parentId, given('itemId')), { orderBy: asc(globalSeq), limit });
/** Deleted items, without those that are being restored now in PostgreSQL: they must not be erased. */
const deletedColumns = {
  ...{ globalSeq, id, createdAt, replyCount },
  // Set in every row that matches the conditions.
  deletedAt: sql<number>`${deletedAt}`.mapWith(Number),
  isBlank: sql`${items.title} is null and ${items.body} is null and ${items.blocks} is null
    and ${items.files} is null`.mapWith(Boolean),
  retentionDays: hubs.retentionDays,
};
const deleted = (filter: SQL | undefined) =>
  inPostgres(
    select(deletedColumns, items, and(isNotNull(deletedAt), filter), {
      joins: [[hubs, eq(hubs.number, items.hubNumber)]],
      orderBy: [asc(deletedAt), asc(globalSeq)],
      limit,
    }),
    (text) => sql`${text} for update of items skip locked`,
  );
const deletedAtOnce = deleted(and(eq(deletedAt, given('deletedAt')), gt(globalSeq, given('globalSeq'))));
const deletedLater = deleted(gt(deletedAt, given('deletedAt')));

const amongGlobalSeqs = sql`${globalSeq} in ${listedNumbers('globalSeqs')}`;
/** The records of an item, which are erased with it. Notification modes can be about its thread. */
const details = [
  reactions.itemId,
  mentions.itemId,
  pins.itemId,
  openQuestions.itemId,
  todoChanges.itemId,
  notificationModes.targetId,
].map((itemId) => deleteFrom(itemId.table, sql`${itemId} in ${listed('ids')}`));
const eraseRows = deleteFrom(items, amongGlobalSeqs);
const blank = { title: null, body: null, blocks: null, files: null, question: null, address: null, requestId: null };
const blankRows = update(items, blank, amongGlobalSeqs);

/** An item as pruning sees it. */
export type ErasableItem = RowOf<typeof find>;
/** `isBlank`: its content was erased, and only the row is left. The retention period is that of its Hub. */
type DeletedItem = RowOf<typeof deletedLater>;

/** Erases data that is no longer kept. Which data that is, and how much at a time, is decided by `ops/prune.ts`. */
export function pruneChanges(on: Connection, indexing: ItemIndexing, counts: KeyCounting) {
  const eraseDetails = async (rows: readonly { globalSeq: number; id: string }[]): Promise<number[]> => {
    const [ids, globalSeqs] = [toList(rows.map((row) => row.id)), rows.map((row) => row.globalSeq)];
    for (const each of details) await on.run(each, { ids });
    await on.run(release, { ids });
    await indexing.erased(globalSeqs);
    return globalSeqs;
  };
  return {
    listHubEvents: async (afterHubId: string, limit: number) => on.all(hubEvents, { afterHubId, limit }),
    /** Erases at most `limit` of the oldest events before `newestSeq`, up to the last one older than `cutoff`. */
    eraseEvents: async (range: { hubId: string; newestSeq: number; cutoff: number; limit: number }): Promise<number> =>
      on.run(eraseEvents, range),
    /** Returns the first Hub after this one, in the order of ids, that has a retention period. */
    nextHubWithRetention: async (afterHubId: string) => (await on.first(nextHub, { afterHubId }))?.id ?? null,
    listShown: async (position: { hubId: string; kind: ItemRowKind; afterGlobalSeq: number; limit: number }) =>
      on.all(shown, position),
    findItem: async (globalSeq: number) => (await on.lock(find, { globalSeq })) ?? null,
    /** Lists the replies to an item, including deleted ones, oldest first. */
    listReplies: async (itemId: string, limit: number) => on.all(replies, { itemId, limit }),
    /** Lists deleted items in the order of deletion, and those of the same time in commit order. */
    listDeleted: async (after: { deletedAt: number; globalSeq: number }, limit: number): Promise<DeletedItem[]> => {
      // A removal deletes many items in the same millisecond: their global sequence numbers distinguish them.
      const same = await on.all(deletedAtOnce, { ...after, limit });
      if (same.length === limit) return same;
      return [...same, ...(await on.all(deletedLater, { ...after, limit: limit - same.length }))];
    },
    /** Erases items with their reactions and mentions. */
    eraseItems: async (
      rows: readonly Pick<ErasableItem, 'globalSeq' | 'id' | 'deletedAt'>[],
      at: number,
    ): Promise<void> => {
      if (rows.length === 0) return;
      // Searches no longer find the others.
      const found = rows.filter(({ deletedAt }) => deletedAt === null);
      await indexing.changed(
        found.map((row) => row.globalSeq),
        ['deletedAt'],
        at,
      );
      // The counts of posts come from their rows, so they are saved before those are erased.
      await counts.save(on, new Map());
      await on.run(eraseRows, { globalSeqs: toList(await eraseDetails(rows)) });
    },
    /** Erases the content, reactions and mentions of items, but keeps their rows. */
    eraseContents: async (rows: readonly Pick<ErasableItem, 'globalSeq' | 'id'>[]): Promise<void> => {
      if (rows.length > 0) await on.run(blankRows, { globalSeqs: toList(await eraseDetails(rows)) });
    },
    /** Erases at most `limit` of the oldest changes recorded for the search index before `cutoff`. */
    eraseTouched: async (range: { cutoff: number; limit: number }): Promise<number> => indexing.eraseTouched(range),
  };
}
