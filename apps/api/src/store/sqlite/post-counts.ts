import { count, gt, max, sql } from 'drizzle-orm';
import { dayOf } from '../../time.ts';
import type { KeyUsageTally } from '../key-use.ts';
import type { Db } from './database.ts';
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

/** Told of everything that happens to a batch, so that it never counts what was not kept. */
export interface PostCounts {
  markSavepoint(): void;
  rollbackToSavepoint(): void;
  committed(): void;
  rolledBack(): void;
  add(post: CountedPost): void;
  /** Posts of this key that its row does not count yet. */
  pending(keyId: string): number;
  pendingByDay(keyId: string): PostsByDay;
  /** Which kinds this key has posted, as far as its row may not tell yet. */
  kinds(keyId: string): number;
  /** Inside a transaction of the writer: writes down these tallies and all pending posts. */
  writeDown(tallies: ReadonlyMap<string, KeyUsageTally>): void;
}

const NONE: PostsByDay = new Map();

/**
 * Counts posts per key and day without a write per post: `workspace.counted_rank` says up to which item the counters in
 * `api_keys` and `key_days` have come, and what lies beyond is counted here. So the numbers are exact also after a kill,
 * when the items beyond that rank are counted again, and a thousand posts of one key cost one write.
 */
export function createPostCounts(db: Db): PostCounts {
  const write = postCountWrites(db);
  let { counts, rank, kinds } = countBeyond(db, readRank(db));
  let thisBatch: CountedPost[] = [];
  /** What `writeDown` wrote in this batch, to take back if the batch is lost. */
  let written = null as typeof counts | null;
  let savepoint: { posts: number; counts: typeof counts; written: typeof written } = { posts: 0, counts, written };

  return {
    add: (post) => void thisBatch.push(post),
    pending: (keyId) => sumOf(counts.get(keyId) ?? NONE),
    pendingByDay: (keyId) => counts.get(keyId) ?? NONE,
    kinds: (keyId) => kinds.get(keyId) ?? 0,
    writeDown: (tallies) => {
      if (tallies.size === 0 && counts.size === 0) return;
      for (const id of new Set([...tallies.keys(), ...counts.keys()])) {
        write.key(id, { posts: counts.get(id) ?? NONE, kinds: kinds.get(id) ?? 0, tally: tallies.get(id) });
      }
      write.rank(rank);
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
        addPosts(counts, post.keyId, dayOf(post.createdAt), 1);
        addKinds(kinds, post.keyId, bitOf(post.kind));
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

/** The posts beyond `rank`, per key and day, and the rank of the last of them. */
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

/** Never taken back: they hold for every post that was committed, however often they are written down. */
function addKinds(kinds: Map<string, number>, keyId: string, bits: number): void {
  kinds.set(keyId, (kinds.get(keyId) ?? 0) | bits);
}

function addPosts(counts: Map<string, Map<number, number>>, keyId: string, day: number, posts: number): void {
  const days = counts.get(keyId);
  if (days) days.set(day, (days.get(day) ?? 0) + posts);
  else counts.set(keyId, new Map([[day, posts]]));
}
