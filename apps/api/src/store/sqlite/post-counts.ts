import { count, eq, gt, max, sql } from 'drizzle-orm';
import type { KeyUsageTally } from '../store.ts';
import type { Db } from './database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';

/** Told of everything that happens to a batch, so that it never counts what was not kept. */
export interface PostCounts {
  markSavepoint(): void;
  rollbackToSavepoint(): void;
  committed(): void;
  rolledBack(): void;
  add(post: { rank: number; keyId: string }): void;
  /** Posts of this key that its row does not count yet. */
  pending(keyId: string): number;
  /** Inside a transaction of the writer: writes down these tallies and all pending posts. */
  writeDown(tallies: ReadonlyMap<string, KeyUsageTally>): void;
}

/**
 * Counts posts per key without a write per post: `workspace.counted_rank` says up to which item the counters in `api_keys`
 * have come, and what lies beyond is counted here. So the numbers are exact also after a kill, when the items beyond that
 * rank are counted again, and a thousand posts of one key cost one write.
 */
export function createPostCounts(db: Db): PostCounts {
  const update = db
    .update(apiKeys)
    .set({
      requestCount: sql`${apiKeys.requestCount} + ${sql.placeholder('requestCount')}`,
      postCount: sql`${apiKeys.postCount} + ${sql.placeholder('postCount')}`,
      lastUsedAt: sql`coalesce(${sql.placeholder('lastUsedAt')}, ${apiKeys.lastUsedAt})`,
      lastUsedAddress: sql`coalesce(${sql.placeholder('lastUsedAddress')}, ${apiKeys.lastUsedAddress})`,
    })
    .where(eq(apiKeys.id, sql.placeholder('id')))
    .prepare();

  const writeRank = db
    .update(workspace)
    .set({ countedRank: sql`${sql.placeholder('rank')}` })
    .prepare();

  let { counts, rank } = countBeyond(db, readRank(db));
  let thisBatch: { rank: number; keyId: string }[] = [];
  /** What `writeDown` wrote in this batch, to take back if the batch is lost. */
  let written = null as Map<string, number> | null;
  let savepoint: { posts: number; counts: typeof counts; written: typeof written } = { posts: 0, counts, written };

  return {
    add: (post) => void thisBatch.push(post),
    pending: (keyId) => counts.get(keyId) ?? 0,
    writeDown: (tallies) => {
      if (tallies.size === 0 && counts.size === 0) return;
      for (const id of new Set([...tallies.keys(), ...counts.keys()])) {
        const tally = tallies.get(id);
        update.run({
          id,
          postCount: counts.get(id) ?? 0,
          requestCount: tally?.requestCount ?? 0,
          lastUsedAt: tally?.lastUsedAt ?? null,
          lastUsedAddress: tally?.lastUsedAddress ?? null,
        });
      }
      writeRank.run({ rank });
      // A second writing-down in the same batch finds nothing more; what to take back is what the first one wrote.
      written ??= counts;
      counts = new Map();
    },
    markSavepoint: () => {
      savepoint = { posts: thisBatch.length, counts, written };
    },
    rollbackToSavepoint: () => {
      thisBatch.length = savepoint.posts;
      ({ counts, written } = savepoint);
    },
    committed: () => {
      for (const post of thisBatch) {
        counts.set(post.keyId, (counts.get(post.keyId) ?? 0) + 1);
        rank = post.rank;
      }
      thisBatch = [];
      written = null;
    },
    rolledBack: () => {
      if (written) counts = written;
      thisBatch = [];
      written = null;
    },
  };
}

function readRank(db: Db): number {
  return db.select({ rank: workspace.countedRank }).from(workspace).get()?.rank ?? 0;
}

/** The posts beyond `rank`, per key, and the rank of the last of them. */
function countBeyond(db: Db, rank: number): { counts: Map<string, number>; rank: number } {
  const rows = db
    .select({ keyId: items.keyId, posts: count(), last: max(items.rank) })
    .from(items)
    .where(gt(items.rank, rank))
    .groupBy(items.keyId)
    .all();
  return {
    counts: new Map(rows.flatMap(({ keyId, posts }) => (keyId === null ? [] : [[keyId, posts] as const]))),
    rank: rows.reduce((highest, { last }) => Math.max(highest, last ?? 0), rank),
  };
}
