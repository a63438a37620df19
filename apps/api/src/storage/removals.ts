import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PageRequest } from '../platform/paging.ts';
import { DAY_MS } from '../platform/time.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { build, fromNewest, given, listed, listedNumbers, page, query, select, toList } from './engine/query.ts';
import { insertInto, updatesOf } from './engine/write.ts';
import { hubNumber, type ItemIndexing, type ItemRecord, isListed } from './items.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { idOf } from './schema/column-types.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';

/** Removals of a key's posts. The removed items carry the removal's id, so that the removal can be undone. */
export const removals = sqliteTable(
  'removals',
  {
    id: text().primaryKey(),
    keyId: idOf(() => apiKeys.id),
    hubId: idOf(() => hubs.id),
    fromAt: integer(),
    toAt: integer(),
    count: integer().notNull(),
    removedAt: integer().notNull(),
    undoneAt: integer(),
  },
  (removal) => [index('removals_by_key').on(removal.keyId, removal.id)],
);

/** The posts made with a key; `fromAt` is inclusive, `toAt` exclusive, in milliseconds since 1970; `null` means unbounded. */
export interface PostRange {
  keyId: string;
  hubId: string;
  fromAt: number | null;
  toAt: number | null;
  /** Posts that are left out. */
  exceptIds?: readonly string[] | undefined;
}

/** An item whose deletion or restoration has to be announced. */
type RemovedItem = Pick<ItemRecord, 'globalSeq' | 'id' | 'kind'>;

const hasId = eq(removals.id, given('id'));
const find = select(getTableColumns(removals), removals, hasId);
const list = page(getTableColumns(removals), removals.id, eq(removals.keyId, given('keyId')));

const globalSeqsOf = select({ globalSeq: items.globalSeq }, items, sql`${items.id} in ${listed('ids')}`);

export type RemovalRecord = RowOf<typeof find>;

export function removalReads(on: Connection) {
  return {
    /** In a transaction, the removal stays as it is until it ends. */
    find: async (id: string) => (await on.lock(find, { id })) ?? null,
    list: async (query: PageRequest & { keyId: string }) => on.all(list, fromNewest(query)),
    /** Returns the posts in the range that are not deleted, oldest first. Other requests are served in between. */
    postGlobalSeqs: async (range: PostRange): Promise<number[]> => {
      const globalSeqs: number[] = [];
      for (const kind of KINDS)
        for (const globalSeq of await globalSeqsOfKind(on, range, kind)) globalSeqs.push(globalSeq);
      const excepted = await on.all(globalSeqsOf, { ids: toList(range.exceptIds ?? []) });
      const left = new Set(globalSeqs).difference(new Set(excepted.map(({ globalSeq }) => globalSeq)));
      return [...left].sort((one, other) => one - other);
    },
  };
}

const KINDS = ['message', 'note', 'todo'] as const;

/** Rows examined between two turns of the event loop: about 3 ms. */
const ROWS_AT_A_TIME = 2_000;

/** In commit order, times rise unless a clock was set back; it is assumed never to be set back by more than this. */
const CLOCK_SLACK_MS = DAY_MS;

const ofKind = sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${given('kind')}
  and ${items.globalSeq} < ${given('from')} and ${isListed}`;
const step = select(
  { globalSeq: items.globalSeq, createdAt: items.createdAt, keyId: items.keyId, deletedAt: items.deletedAt },
  items,
  ofKind,
  { orderBy: desc(items.globalSeq), limit: sql.raw(String(ROWS_AT_A_TIME)) },
);

/** A key's posts are found by scanning its Hub: an index by key would cost every post a page on disk. */
async function globalSeqsOfKind(
  on: Connection,
  { hubId, keyId, fromAt, toAt }: PostRange,
  kind: string,
): Promise<number[]> {
  const globalSeqs: number[] = [];
  let from = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await on.all(step, { hubId, kind, from });
    for (const row of rows) {
      const isIn = (fromAt === null || row.createdAt >= fromAt) && (toAt === null || row.createdAt < toAt);
      if (row.keyId === keyId && row.deletedAt === null && isIn) globalSeqs.push(row.globalSeq);
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_A_TIME) return globalSeqs;
    if (fromAt !== null && last.createdAt < fromAt - CLOCK_SLACK_MS) return globalSeqs;
    from = last.globalSeq;
    await new Promise(setImmediate);
  }
}

const removed = { globalSeq: items.globalSeq, id: items.id, kind: items.kind };
const take = query(() =>
  build
    .update(items)
    .set({ deletedAt: sql`${given('at')}`, removalId: sql`${given('removalId')}` })
    .where(
      and(
        sql`${items.globalSeq} in ${listedNumbers('globalSeqs')}`,
        isNull(items.deletedAt),
        eq(items.keyId, given('keyId')),
      ),
    )
    .returning(removed),
);
const restore = query(() =>
  build
    .update(items)
    .set({ deletedAt: null, removalId: null })
    .where(
      sql`${items.globalSeq} in (select global_seq from items where removal_id = ${given('removalId')}
        order by global_seq limit ${given('limit')})`,
    )
    .returning(removed),
);
const insert = insertInto(removals);
const updates = updatesOf(removals, hasId);

export function removalChanges(on: Connection, indexing: ItemIndexing) {
  /** Puts changed items in order, and lets searches follow them. */
  const changed = async (found: RemovedItem[], at: number): Promise<RemovedItem[]> => {
    found.sort((one, other) => one.globalSeq - other.globalSeq);
    await indexing.changed(
      found.map(({ globalSeq }) => globalSeq),
      ['deletedAt'],
      at,
    );
    return found;
  };
  return {
    ...removalReads(on),
    insert: async (removal: RemovalRecord) => on.run(insert, removal),
    update: async (id: string, changes: Partial<Pick<RemovalRecord, 'count' | 'undoneAt'>>) =>
      on.run(updates(changes), { id, ...changes }),
    /** Deletes those of the items that are posts by the key and not deleted yet, and returns them, oldest first. */
    deletePosts: async (
      { at, ...removal }: { removalId: string; keyId: string; at: number },
      globalSeqs: readonly number[],
    ): Promise<RemovedItem[]> => changed(await on.all(take, { ...removal, at, globalSeqs: toList(globalSeqs) }), at),
    /** Restores at most `limit` of the items that this removal deleted, and returns them, oldest first. */
    restorePosts: async ({ removalId, at }: { removalId: string; at: number }, limit: number): Promise<RemovedItem[]> =>
      changed(await on.all(restore, { removalId, limit }), at),
  };
}
