import { count, eq, gt, sql } from 'drizzle-orm';
import type { KeyUsageTally } from '../store.ts';
import type { BatchRider } from './batch-rider.ts';
import type { Db } from './database.ts';
import { followers } from './followers.queries.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { items } from './tables/items.table.ts';

export interface PostCounts extends BatchRider {
  add(post: { rank: number; keyId: string }): void;
  /** Posts of this key that its row does not count yet. */
  pending(keyId: string): number;
  /** Inside a transaction of the writer: writes down these tallies and all pending posts. */
  writeDown(tallies: ReadonlyMap<string, KeyUsageTally>): void;
}

/**
 * Counts posts per key without a write per post: a row of `followers` says up to which rank the counters in `api_keys`
 * have come, and what lies beyond is counted here. So the numbers are exact also after a kill, when the items beyond that
 * rank are counted again, and a thousand posts of one key cost one write.
 */
export function createPostCounts(db: Db): PostCounts {
  const progress = followers(db, 'post_counts');
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

  let counts = countBeyond(db, progress.read());
  let rank = progress.read();
  let thisBatch: { rank: number; keyId: string }[] = [];
  let savepoint = 0;
  let written: { counts: Map<string, number>; rank: number } | null = null;

  return {
    add: (post) => void thisBatch.push(post),
    pending: (keyId) => counts.get(keyId) ?? 0,
    writeDown: (tallies) => {
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
      progress.write(rank);
      written = { counts, rank };
      counts = new Map();
    },
    markSavepoint: () => {
      savepoint = thisBatch.length;
    },
    rollbackToSavepoint: () => {
      thisBatch.length = savepoint;
    },
    beforeCommit: () => {},
    committed: () => {
      for (const post of thisBatch) {
        counts.set(post.keyId, (counts.get(post.keyId) ?? 0) + 1);
        rank = post.rank;
      }
      thisBatch = [];
      written = null;
    },
    rolledBack: () => {
      if (written) counts = written.counts;
      thisBatch = [];
      written = null;
    },
  };
}

function countBeyond(db: Db, rank: number): Map<string, number> {
  const rows = db
    .select({ keyId: items.keyId, posts: count() })
    .from(items)
    .where(gt(items.rank, rank))
    .groupBy(items.keyId)
    .all();
  return new Map(rows.flatMap(({ keyId, posts }) => (keyId === null ? [] : [[keyId, posts] as const])));
}
