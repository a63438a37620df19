import { and, count, eq, gt, sql } from 'drizzle-orm';
import { dayOf } from '../../platform/time.ts';
import { build, type Connection, query } from '../engine/query.ts';
import {
  addDaysAndAddresses,
  addedRequests,
  bitOf,
  hasKeyId,
  KEYS_PER_SAVE,
  type KeyUsageTally,
  type PostsByDay,
  type UnsavedPosts,
  type UnsavedPostsOf,
} from '../key-usage.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { items } from '../schema/items.table.ts';
import { workspace } from '../schema/workspace.table.ts';
import type { Db } from './engine/database.ts';
import { SqliteConnection } from './engine/statements.ts';
import type { TransactionState } from './engine/transaction-session.ts';

interface CountedPosts extends UnsavedPosts {
  firstRank: number;
  byDay: Map<number, number>;
}

interface CountedPost {
  rank: number;
  keyId: string;
  createdAt: number;
  address: string;
  kind: string;
}

export interface PostCounts extends TransactionState {
  add(post: CountedPost): void;
  /** Returns the posts by this key that its row does not include yet. */
  unsaved: UnsavedPostsOf;
  /** Runs inside a transaction: saves these tallies, and post counts as `addUsage` of the keys says. */
  save(on: Connection, tallies: ReadonlyMap<string, KeyUsageTally>): Promise<void>;
}

const NONE: PostsByDay = new Map();

/** Saves what was counted for a key, up to a rank. After a kill, only the posts tell when the key was used. */
const updateKey = query(() =>
  build
    .update(apiKeys)
    .set({
      ...addedRequests,
      postCount: sql`${apiKeys.postCount} + ${sql.placeholder('postCount')}`,
      usedKinds: sql`${apiKeys.usedKinds} | ${sql.placeholder('kinds')}`,
      countedRank: sql`${sql.placeholder('rank')}`,
    })
    .where(hasKeyId),
);
const writeRank = query(() => build.update(workspace).set({ countedRank: sql`${sql.placeholder('rank')}` }));

/**
 * Counts posts per key and day without a write per post: the counters in `api_keys` and `key_days` include the posts of
 * a key up to `api_keys.counted_rank`, and later ones are counted here. A thousand posts by one key cost one write. The
 * numbers are exact even after the server is killed, because the later posts are then counted again. They are all
 * beyond `workspace.counted_rank`, where that search begins.
 */
export function createPostCounts(db: Db): PostCounts {
  /** By key, in the order of `firstRank`. */
  let { unsaved, rank } = countBeyondSaved(new SqliteConnection(db));
  let thisBatch: CountedPost[] = [];
  /** The counts that `save` wrote in this batch, to restore them if the batch is lost. */
  let saved: [string, CountedPosts][] = [];

  const saveKey = async (on: Connection, keyId: string, tally: KeyUsageTally | undefined): Promise<void> => {
    const counted = unsaved.get(keyId);
    const posts = counted?.byDay ?? NONE;
    const { requestCount = 0, lastUsedAt = null, lastUsedAddress = null } = tally ?? {};
    await on.run(updateKey, {
      keyId,
      rank,
      kinds: counted?.kinds ?? 0,
      postCount: posts.values().reduce((sum, count) => sum + count, 0),
      requestCount,
      lastUsedAt: lastUsedAt ?? counted?.last.at ?? null,
      lastUsedAddress: lastUsedAddress ?? counted?.last.address ?? null,
    });
    await addDaysAndAddresses(on, keyId, { posts, tally });
    if (!counted) return;
    saved.push([keyId, counted]);
    unsaved.delete(keyId);
  };

  return {
    add: (post) => void thisBatch.push(post),
    unsaved: (keyId) => unsaved.get(keyId),
    save: async (on, tallies) => {
      if (tallies.size === 0 && unsaved.size === 0) return;
      for (const [keyId, tally] of tallies) await saveKey(on, keyId, tally);
      const oldest = [...unsaved.keys().take(Math.max(0, KEYS_PER_SAVE - tallies.size))];
      for (const keyId of oldest) await saveKey(on, keyId, undefined);
      const first = unsaved.values().next().value;
      await on.run(writeRank, { rank: first ? first.firstRank - 1 : rank });
    },
    committed: () => {
      for (const { keyId, rank: ofPost, createdAt: at, address, kind } of thisBatch) {
        addPosts(unsaved, keyId, { rank: ofPost, day: dayOf(at), posts: 1, kinds: bitOf(kind), last: { at, address } });
        rank = ofPost;
      }
      thisBatch = [];
      saved = [];
    },
    rolledBack: () => {
      if (saved.length > 0) unsaved = inOrder([...saved, ...unsaved]);
      thisBatch = [];
      saved = [];
    },
  };
}

function inOrder(unsaved: readonly [string, CountedPosts][]): Map<string, CountedPosts> {
  return new Map(unsaved.toSorted(([, one], [, other]) => one.firstRank - other.firstRank));
}

const readRank = query(() => build.select({ rank: workspace.countedRank }).from(workspace));
const day = sql`${items.createdAt} / 86400000`.mapWith(Number);
const countPosts = query(() =>
  build
    .select({
      keyId: apiKeys.id,
      day,
      posts: count(),
      first: sql`min(${items.rank})`.mapWith(Number),
      newest: sql`max(${items.rank})`.mapWith(Number),
      kinds:
        sql`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`.mapWith(
          Number,
        ),
    })
    .from(items)
    .innerJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .where(and(gt(items.rank, sql.placeholder('rank')), gt(items.rank, apiKeys.countedRank)))
    .groupBy(apiKeys.id, day),
);
const findPost = query(() =>
  build
    .select({ at: items.createdAt, address: sql`coalesce(${items.address}, '')`.mapWith(String) })
    .from(items)
    .where(eq(items.rank, sql.placeholder('rank'))),
);

/** Counts the posts that the rows of their keys do not include, and returns the rank of the last post. */
function countBeyondSaved(on: SqliteConnection) {
  let rank = on.first(readRank)?.rank ?? 0;
  const unsaved = new Map<string, CountedPosts>();
  for (const { keyId, day, posts, first, newest, kinds } of on.all(countPosts, { rank })) {
    const last = on.first(findPost, { rank: newest }) ?? { at: 0, address: '' };
    addPosts(unsaved, keyId, { rank: first, day, posts, kinds, last });
    rank = Math.max(rank, newest);
  }
  return { unsaved: inOrder([...unsaved]), rank };
}

type AddedPosts = Pick<UnsavedPosts, 'kinds' | 'last'> & { rank: number; day: number; posts: number };

function addPosts(unsaved: Map<string, CountedPosts>, keyId: string, { rank, day, posts, kinds, last }: AddedPosts) {
  const ofKey = unsaved.get(keyId);
  if (!ofKey) {
    unsaved.set(keyId, { firstRank: rank, byDay: new Map([[day, posts]]), kinds, last });
    return;
  }
  if (last.at >= ofKey.last.at) ofKey.last = last;
  ofKey.firstRank = Math.min(ofKey.firstRank, rank);
  ofKey.kinds |= kinds;
  ofKey.byDay.set(day, (ofKey.byDay.get(day) ?? 0) + posts);
}
