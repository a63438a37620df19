import { sql } from 'drizzle-orm';
import type { PostRange } from '../removal-store.ts';
import type { Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import { items } from './tables/items.table.ts';

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
export function keyPosts(db: Db) {
  const step = db
    .select({
      rank: items.rank,
      createdAt: items.createdAt,
      isPostOfKey: sql<number>`${items.keyId} is ${sql.placeholder('keyId')} and ${items.deletedAt} is null`,
    })
    .from(items)
    // Must be exactly the condition of the index `items_by_hub`, or SQLite does not use the index.
    .where(
      sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')}
        and ${items.rank} < ${sql.placeholder('from')} and (${items.deletedAt} is null or ${items.replyCount} > 0)`,
    )
    .orderBy(sql`${items.rank} desc`)
    .limit(ROWS_AT_A_TIME)
    .prepare();
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
    ranks: async (range: PostRange): Promise<number[]> => {
      const ranks: number[] = [];
      for (const kind of KINDS) for (const rank of await ranksOfKind(range, kind)) ranks.push(rank);
      return ranks.sort((one, other) => one - other);
    },
  };
}
