import { sql } from 'drizzle-orm';
import type { PostRange } from '../removal-store.ts';
import type { Db } from './database.ts';
import { reading } from './storage-error.ts';
import { items } from './tables/items.table.ts';

const KINDS = ['message', 'note', 'todo'] as const;

/** Rows looked at between two turns of the event loop: some 3 ms. */
const ROWS_AT_A_TIME = 2_000;

/** Rank rises with time within a Hub, but for a clock that was set back. By more than this, none is. */
const CLOCK_SLACK_MS = 24 * 60 * 60 * 1000;

/**
 * What a key has posted. A key is of one Hub, so its posts are found by walking through that; an index by key would cost
 * every post a page of the disk. The walk lets requests through after each step.
 */
export function keyPosts(db: Db) {
  const step = db
    .select({
      rank: items.rank,
      createdAt: items.createdAt,
      isTaken: sql<number>`${items.keyId} is ${sql.placeholder('keyId')} and ${items.deletedAt} is null`,
    })
    .from(items)
    // In the very words of the index `items_by_hub`, which SQLite does not use otherwise.
    .where(
      sql`${items.hubId} = ${sql.placeholder('hubId')} and ${items.kind} = ${sql.placeholder('kind')}
        and ${items.rank} < ${sql.placeholder('from')} and (${items.deletedAt} is null or ${items.replyCount} > 0)`,
    )
    .orderBy(sql`${items.rank} desc`)
    .limit(ROWS_AT_A_TIME)
    .prepare();
  const readStep = reading((place: { hubId: string; keyId: string; kind: string; from: number }) => step.all(place));

  const ranksOfKind = async ({ hubId, keyId, fromAt, toAt }: PostRange, kind: string): Promise<number[]> => {
    const ranks: number[] = [];
    let from = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = await readStep({ hubId, keyId, kind, from });
      for (const { rank, createdAt, isTaken } of rows) {
        const isIn = (fromAt === null || createdAt >= fromAt) && (toAt === null || createdAt < toAt);
        if (isTaken === 1 && isIn) ranks.push(rank);
      }
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_AT_A_TIME) return ranks;
      if (fromAt !== null && last.createdAt < fromAt - CLOCK_SLACK_MS) return ranks;
      from = last.rank;
      await new Promise(setImmediate);
    }
  };

  return {
    /** The ranks of those in the range that are not deleted, oldest first. */
    ranks: async (range: PostRange): Promise<number[]> => {
      const ranks: number[] = [];
      for (const kind of KINDS) for (const rank of await ranksOfKind(range, kind)) ranks.push(rank);
      return ranks.sort((one, other) => one - other);
    },
  };
}
