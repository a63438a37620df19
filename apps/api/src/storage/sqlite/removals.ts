import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { hubNumber } from '../columns.ts';
import type { PostRange, RemovalRecord, RemovedItem } from '../removal-store.ts';
import { removals, touchedItems } from '../schema/item-details.table.ts';
import { items } from '../schema/items.table.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { reading } from './engine/storage-error.ts';

export function removalReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select()
      .from(removals)
      .where(eq(removals.id, sql.placeholder('id'))),
  );
  const list = prepared(db, () =>
    db
      .select()
      .from(removals)
      .where(and(eq(removals.keyId, sql.placeholder('keyId')), lt(removals.id, sql.placeholder('before'))))
      .orderBy(desc(removals.id))
      .limit(sql.placeholder('limit')),
  );
  return {
    find: (id: string): RemovalRecord | null => find.get({ id }) ?? null,
    list: ({ before = AFTER_ALL_IDS, ...query }: PageRequest & { keyId: string }): RemovalRecord[] =>
      list.all({ ...query, before }),
  };
}

/** Each function runs inside a transaction. The search index follows the items that they touch. */
export function removalChanges(db: Db) {
  const columns = { rank: items.rank, id: items.id, kind: items.kind };
  const take = prepared(db, () =>
    db
      .update(items)
      .set({ deletedAt: sql`${sql.placeholder('at')}`, removalId: sql`${sql.placeholder('removalId')}` })
      .where(
        sql`${items.rank} in (select value from json_each(${sql.placeholder('ranks')}))
        and ${items.deletedAt} is null and ${items.keyId} = ${sql.placeholder('keyId')}`,
      )
      .returning(columns),
  );
  const restore = prepared(db, () =>
    db
      .update(items)
      .set({ deletedAt: null, removalId: null })
      .where(
        sql`${items.rank} in (select ${items.rank} from ${items} where ${items.removalId} = ${sql.placeholder('removalId')}
        order by ${items.rank} limit ${sql.placeholder('limit')})`,
      )
      .returning(columns),
  );
  const touch = prepared(db, () =>
    db.insert(touchedItems).values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') }),
  );
  const touched = (found: RemovedItem[], at: number): RemovedItem[] => {
    const sorted = found.sort((one, other) => one.rank - other.rank);
    for (const { rank } of sorted) touch.run({ rank, at });
    return sorted;
  };

  return {
    insert: (removal: RemovalRecord): void => {
      db.insert(removals).values(removal).run();
    },
    update: (id: string, changes: Partial<Pick<RemovalRecord, 'count' | 'undoneAt'>>): void => {
      db.update(removals).set(changes).where(eq(removals.id, id)).run();
    },
    deletePosts: (removal: { removalId: string; keyId: string; at: number }, ranks: readonly number[]): RemovedItem[] =>
      touched(take.all({ ...removal, ranks: JSON.stringify(ranks) }), removal.at),
    restorePosts: ({ removalId, at }: { removalId: string; at: number }, limit: number): RemovedItem[] =>
      touched(restore.all({ removalId, limit }), at),
  };
}

const KINDS = ['message', 'note', 'todo'] as const;

/** Rows examined between two turns of the event loop: about 3 ms. */
const ROWS_AT_A_TIME = 2_000;

/**
 * Within a Hub, rank rises with time unless a clock was set back; it is assumed never to be set back by more than this.
 */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * Finds the posts by a key. A key belongs to one Hub, so its posts are found by scanning that Hub; an index by key
 * would cost every post a page on disk. The scan lets other requests through after each step.
 */
export function postRankReads(db: Db) {
  const step = prepared(db, () =>
    db
      .select({
        rank: items.rank,
        createdAt: items.createdAt,
        isPostOfKey: sql<number>`${items.keyId} is ${sql.placeholder('keyId')} and ${items.deletedAt} is null`,
      })
      .from(items)
      // Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index.
      .where(
        sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.placeholder('kind')}
        and ${items.rank} < ${sql.placeholder('from')} and (${items.deletedAt} is null or ${items.replyCount} > 0)`,
      )
      .orderBy(sql`${items.rank} desc`)
      .limit(ROWS_AT_A_TIME),
  );
  const readStep = reading((position: { hubId: string; keyId: string; kind: string; from: number }) =>
    step.all(position),
  );

  const ranksOfKind = async ({ hubId, keyId, fromAt, toAt }: PostRange, kind: string): Promise<number[]> => {
    const ranks: number[] = [];
    let from = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await readStep({ hubId, keyId, kind, from });
      for (const { rank, createdAt, isPostOfKey } of rows) {
        const isIn = (fromAt === null || createdAt >= fromAt) && (toAt === null || createdAt < toAt);
        if (isPostOfKey === 1 && isIn) ranks.push(rank);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_A_TIME) return ranks;
      if (fromAt !== null && last.createdAt < fromAt - CLOCK_SLACK_MS) return ranks;
      from = last.rank;
      await new Promise(setImmediate);
    }
  };

  return {
    /** Returns the ranks of the posts in the range that are not deleted, oldest first. */
    postRanks: async (range: PostRange): Promise<number[]> => {
      const ranks: number[] = [];
      for (const kind of KINDS) for (const rank of await ranksOfKind(range, kind)) ranks.push(rank);
      return ranks.sort((one, other) => one - other);
    },
  };
}
