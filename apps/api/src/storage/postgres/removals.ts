import { and, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import type { PostRange, RemovalRecord, RemovedItem } from '../removal-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { removals } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';

const byId = () =>
  build
    .select()
    .from(removals)
    .where(eq(removals.id, sql.placeholder('id')));
const find = statement(byId());
const findLocked = statement(byId().for('update'));
const list = statement(
  build
    .select()
    .from(removals)
    .where(and(eq(removals.keyId, sql.placeholder('keyId')), lt(removals.id, sql.placeholder('before'))))
    .orderBy(desc(removals.id))
    .limit(sql.placeholder('limit')),
);

export function removalReads(on: Connection, query = find) {
  return {
    find: async (id: string): Promise<RemovalRecord | null> => (await on.first(query, { id })) ?? null,
    list: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { keyId: string }): Promise<RemovalRecord[]> =>
      on.all(list, { ...page, before }),
  };
}

const columns = { rank: items.rank, id: items.id, kind: items.kind };
const take = statement(
  build
    .update(items)
    .set({ deletedAt: sql`${sql.placeholder('at')}`, removalId: sql`${sql.placeholder('removalId')}` })
    .where(
      and(
        sql`${items.rank} = any(${sql.placeholder('ranks')}::bigint[])`,
        isNull(items.deletedAt),
        eq(items.keyId, sql.placeholder('keyId')),
      ),
    )
    .returning(columns),
);
const restore = statement(
  build
    .update(items)
    .set({ deletedAt: null, removalId: null })
    .where(
      sql`${items.rank} in (select rank from items where removal_id = ${sql.placeholder('removalId')}
        order by rank limit ${sql.placeholder('limit')}::bigint)`,
    )
    .returning(columns),
);
const oldestFirst = (found: RemovedItem[]): RemovedItem[] => found.sort((one, other) => one.rank - other.rank);

export function removalChanges(on: Connection) {
  return {
    ...removalReads(on, findLocked),
    insert: async (removal: RemovalRecord): Promise<void> => {
      await on.run(statement(build.insert(removals).values(removal)));
    },
    update: async (id: string, changes: Partial<Pick<RemovalRecord, 'count' | 'undoneAt'>>): Promise<void> => {
      await on.run(statement(build.update(removals).set(changes).where(eq(removals.id, id))));
    },
    deletePosts: async (
      removal: { removalId: string; keyId: string; at: number },
      ranks: readonly number[],
    ): Promise<RemovedItem[]> => oldestFirst(await on.all(take, { ...removal, ranks: [...ranks] })),
    restorePosts: async ({ removalId }: { removalId: string; at: number }, limit: number): Promise<RemovedItem[]> =>
      oldestFirst(await on.all(restore, { removalId, limit })),
  };
}

const postRanks = statement(
  build
    .select({ rank: items.rank })
    .from(items)
    .where(
      and(
        eq(items.keyId, sql.placeholder('keyId')),
        isNull(items.deletedAt),
        gte(items.createdAt, sql.placeholder('from')),
        lt(items.createdAt, sql.placeholder('to')),
      ),
    )
    .orderBy(items.rank),
);

export function postRankReads(on: Connection) {
  return {
    /** Returns the ranks of the posts in the range that are not deleted, oldest first. */
    postRanks: async ({ keyId, fromAt, toAt }: PostRange): Promise<number[]> => {
      const period = { from: fromAt ?? Number.MIN_SAFE_INTEGER, to: toAt ?? Number.MAX_SAFE_INTEGER };
      return (await on.all(postRanks, { keyId, ...period })).map(({ rank }) => rank);
    },
  };
}
