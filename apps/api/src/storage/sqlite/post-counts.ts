import { count, gt, max, sql } from 'drizzle-orm';
import { dayOf } from '../../time.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { Db } from './engine/database.ts';
import type { TransactionState } from './engine/transaction.ts';
import { type PostsByDay, postCountWrites, sumOf } from './post-count-writes.ts';
import { bitOf, kindsOfGroup } from './post-kinds.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';

export interface CountedPost {
  rank: number;
  keyId: string;
  createdAt: number;
  kind: string;
}

export interface PostCounts extends TransactionState {
  add(post: CountedPost): void;
  /** Returns the number of posts by this key that the key's row does not include yet. */
  pending(keyId: string): number;
  pendingByDay(keyId: string): PostsByDay;
  /** Returns the kinds that this key has posted since the start; its row may not include them yet. */
  kinds(keyId: string): number;
  /** Runs inside a writer transaction: saves these tallies and all pending post counts. */
  save(tallies: ReadonlyMap<string, KeyUsageTally>): void;
}

const NONE: PostsByDay = new Map();

/**
 * Counts posts per key and day without a write per post: the counters in `api_keys` and `key_days` include the items up
 * to `workspace.counted_rank`, and later items are counted here. A thousand posts by one key cost one write. The
 * numbers are exact even after the server is killed, because the items beyond that rank are then counted again.
 */
export function createPostCounts(db: Db): PostCounts {
  const write = postCountWrites(db);
  let { counts, rank, kinds } = countBeyond(db, readRank(db));
  let thisBatch: CountedPost[] = [];
  /** The counts that `save` wrote in this batch, to restore them if the batch is lost. */
  let saved = null as typeof counts | null;
  let savepoint: { posts: number; counts: typeof counts; saved: typeof saved } = { posts: 0, counts, saved };

  return {
    add: (post) => void thisBatch.push(post),
    pending: (keyId) => sumOf(counts.get(keyId) ?? NONE),
    pendingByDay: (keyId) => counts.get(keyId) ?? NONE,
    kinds: (keyId) => kinds.get(keyId) ?? 0,
    save: (tallies) => {
      if (tallies.size === 0 && counts.size === 0) return;
      for (const id of new Set([...tallies.keys(), ...counts.keys()])) {
        write.key(id, { posts: counts.get(id) ?? NONE, kinds: kinds.get(id) ?? 0, tally: tallies.get(id) });
      }
      write.rank(rank);
      // A second call in the same batch finds nothing to save; what the first call saved must be kept for a rollback.
      saved ??= counts;
      counts = new Map();
    },
    markSavepoint: () => {
      savepoint = { posts: thisBatch.length, counts, saved };
    },
    rollbackToSavepoint: () => {
      thisBatch.length = savepoint.posts;
      ({ counts, saved } = savepoint);
    },
    committed: () => {
      for (const post of thisBatch) {
        addPosts(counts, post.keyId, dayOf(post.createdAt), 1);
        addKinds(kinds, post.keyId, bitOf(post.kind));
        rank = post.rank;
      }
      thisBatch = [];
      saved = null;
    },
    rolledBack: () => {
      if (saved) counts = saved;
      thisBatch = [];
      saved = null;
    },
  };
}

function readRank(db: Db): number {
  return db.select({ rank: workspace.countedRank }).from(workspace).get()?.rank ?? 0;
}

/** Counts the posts beyond `rank`, per key and day, and returns the rank of the last one. */
function countBeyond(db: Db, rank: number) {
  const day = sql<number>`${items.createdAt} / 86400000`;
  const rows = db
    .select({ keyId: items.keyId, day, posts: count(), last: max(items.rank), kinds: kindsOfGroup })
    .from(items)
    .where(gt(items.rank, rank))
    .groupBy(items.keyId, day)
    .all();
  const counts = new Map<string, Map<number, number>>();
  const kinds = new Map<string, number>();
  for (const row of rows) {
    if (row.keyId === null) continue;
    addPosts(counts, row.keyId, row.day, row.posts);
    addKinds(kinds, row.keyId, row.kinds);
  }
  return { counts, kinds, rank: rows.reduce((highest, { last }) => Math.max(highest, last ?? 0), rank) };
}

/** The kinds are never rolled back: they come from committed posts, and saving them again does no harm. */
function addKinds(kinds: Map<string, number>, keyId: string, bits: number): void {
  kinds.set(keyId, (kinds.get(keyId) ?? 0) | bits);
}

function addPosts(counts: Map<string, Map<number, number>>, keyId: string, day: number, posts: number): void {
  const days = counts.get(keyId);
  if (days) days.set(day, (days.get(day) ?? 0) + posts);
  else counts.set(keyId, new Map([[day, posts]]));
}
