import { and, count, eq, gt, sql } from 'drizzle-orm';
import { dayOf } from '../../core/time.ts';
import { bitOf, KEYS_PER_SAVE, type KeyUsageTally } from '../key-store.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { keyDays } from '../schema/item-details.table.ts';
import { items } from '../schema/items.table.ts';
import { workspace } from '../schema/workspace.table.ts';
import type { Db } from './engine/database.ts';
import { boundStatement, prepared } from './engine/statements.ts';
import type { TransactionState } from './engine/transaction-session.ts';
import { keyAddressWrites } from './key-addresses.ts';

/** The bit set of the kinds in a group of items. */
const kindsOfGroup = sql<number>`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`;

/** How many posts by a key were accepted on each day (days since 1970, UTC). Usually a single day. */
type PostsByDay = Map<number, number>;

/** The posts by a key that its row does not include yet. */
interface UncountedPosts {
  firstRank: number;
  byDay: PostsByDay;
  last: LastPost;
}

interface LastPost {
  at: number;
  address: string;
}

interface NewKeyUse {
  posts: PostsByDay;
  /** The rank up to which the row includes the posts of the key from now on. */
  rank: number;
  /** The bit set of the kinds of the posts. */
  kinds: number;
  last: LastPost | undefined;
  tally: KeyUsageTally | undefined;
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
  /** Returns the number of posts by this key that the key's row does not include yet. */
  pending(keyId: string): number;
  pendingByDay(keyId: string): ReadonlyMap<number, number>;
  /** Returns when and from where the last post by this key came that the key's row does not include yet. */
  pendingLast(keyId: string): LastPost | undefined;
  /** Returns the kinds that this key has posted since the start; its row may not include them yet. */
  kinds(keyId: string): number;
  /** Runs inside a writer transaction: saves these tallies, and pending post counts as `KeyRepository.addUsage` says. */
  save(tallies: ReadonlyMap<string, KeyUsageTally>): void;
}

const NONE: PostsByDay = new Map();

/**
 * Counts posts per key and day without a write per post: the counters in `api_keys` and `key_days` include the posts of
 * a key up to `api_keys.counted_rank`, and later ones are counted here. A thousand posts by one key cost one write. The
 * numbers are exact even after the server is killed, because the later posts are then counted again. They are all
 * beyond `workspace.counted_rank`, where that search begins.
 */
export function createPostCounts(db: Db): PostCounts {
  const write = postCountWrites(db);
  /** By key, in the order of `firstRank`. */
  let { uncounted, rank, kinds } = countBeyond(db, readRank(db));
  let thisBatch: CountedPost[] = [];
  /** The counts that `save` wrote in this batch, to restore them if the batch is lost. */
  let saved: [string, UncountedPosts][] = [];

  const saveKey = (id: string, tally: KeyUsageTally | undefined): void => {
    const posts = uncounted.get(id);
    write.key(id, { posts: posts?.byDay ?? NONE, rank, kinds: kinds.get(id) ?? 0, last: posts?.last, tally });
    if (!posts) return;
    saved.push([id, posts]);
    uncounted.delete(id);
  };

  return {
    add: (post) => void thisBatch.push(post),
    pending: (keyId) => sumOf(uncounted.get(keyId)?.byDay ?? NONE),
    pendingByDay: (keyId) => uncounted.get(keyId)?.byDay ?? NONE,
    pendingLast: (keyId) => uncounted.get(keyId)?.last,
    kinds: (keyId) => kinds.get(keyId) ?? 0,
    save: (tallies) => {
      if (tallies.size === 0 && uncounted.size === 0) return;
      for (const [id, tally] of tallies) saveKey(id, tally);
      const oldest = [...uncounted.keys().take(Math.max(0, KEYS_PER_SAVE - tallies.size))];
      for (const id of oldest) saveKey(id, undefined);
      const first = uncounted.values().next().value;
      write.rank(first ? first.firstRank - 1 : rank);
    },
    committed: () => {
      for (const post of thisBatch) {
        const last = { at: post.createdAt, address: post.address };
        addPosts(uncounted, post.keyId, { rank: post.rank, day: dayOf(post.createdAt), posts: 1, last });
        addKinds(kinds, post.keyId, bitOf(post.kind));
        rank = post.rank;
      }
      thisBatch = [];
      saved = [];
    },
    rolledBack: () => {
      if (saved.length > 0) uncounted = inOrder([...saved, ...uncounted]);
      thisBatch = [];
      saved = [];
    },
  };
}

function inOrder(uncounted: readonly [string, UncountedPosts][]): Map<string, UncountedPosts> {
  return new Map(uncounted.toSorted(([, one], [, other]) => one.firstRank - other.firstRank));
}

function readRank(db: Db): number {
  return db.select({ rank: workspace.countedRank }).from(workspace).get()?.rank ?? 0;
}

/** Counts the posts beyond `rank` that the rows of their keys do not include, and returns the rank of the last post. */
function countBeyond(db: Db, rank: number) {
  const day = sql<number>`${items.createdAt} / 86400000`;
  const rows = db
    .select({
      keyId: apiKeys.id,
      day,
      posts: count(),
      first: sql<number>`min(${items.rank})`,
      last: sql<number>`max(${items.rank})`,
      kinds: kindsOfGroup,
    })
    .from(items)
    .innerJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .where(and(gt(items.rank, rank), gt(items.rank, apiKeys.countedRank)))
    .groupBy(apiKeys.id, day)
    .all();
  const lastPost = prepared(db, () =>
    db
      .select({ at: items.createdAt, address: sql<string>`coalesce(${items.address}, '')` })
      .from(items)
      .where(eq(items.rank, sql.placeholder('rank'))),
  );
  const uncounted = new Map<string, UncountedPosts>();
  const kinds = new Map<string, number>();
  for (const { keyId, day, posts, first, last: lastRank, kinds: bits } of rows) {
    const last = lastPost.get({ rank: lastRank }) ?? { at: 0, address: '' };
    addPosts(uncounted, keyId, { rank: first, day, posts, last });
    addKinds(kinds, keyId, bits);
  }
  const last = rows.reduce((highest, { last }) => Math.max(highest, last), rank);
  return { uncounted: inOrder([...uncounted]), kinds, rank: last };
}

/** The kinds are never rolled back: they come from committed posts, and saving them again does no harm. */
function addKinds(kinds: Map<string, number>, keyId: string, bits: number): void {
  kinds.set(keyId, (kinds.get(keyId) ?? 0) | bits);
}

function addPosts(
  uncounted: Map<string, UncountedPosts>,
  keyId: string,
  { rank, day, posts, last }: { rank: number; day: number; posts: number; last: LastPost },
): void {
  const ofKey = uncounted.get(keyId);
  if (!ofKey) {
    uncounted.set(keyId, { firstRank: rank, byDay: new Map([[day, posts]]), last });
    return;
  }
  if (last.at >= ofKey.last.at) ofKey.last = last;
  ofKey.firstRank = Math.min(ofKey.firstRank, rank);
  ofKey.byDay.set(day, (ofKey.byDay.get(day) ?? 0) + posts);
}

/** Saves what `createPostCounts` has counted, inside a writer transaction. */
function postCountWrites(db: Db) {
  const updateKey = boundStatement(db, () =>
    db
      .update(apiKeys)
      .set({
        requestCount: sql`${apiKeys.requestCount} + ${sql.placeholder('requestCount')}`,
        postCount: sql`${apiKeys.postCount} + ${sql.placeholder('postCount')}`,
        lastUsedAt: sql`coalesce(${sql.placeholder('lastUsedAt')}, ${apiKeys.lastUsedAt})`,
        lastUsedAddress: sql`coalesce(${sql.placeholder('lastUsedAddress')}, ${apiKeys.lastUsedAddress})`,
        usedKinds: sql`${apiKeys.usedKinds} | ${sql.placeholder('kinds')}`,
        countedRank: sql`${sql.placeholder('rank')}`,
      })
      .where(eq(apiKeys.id, sql.placeholder('id'))),
  );
  const saveAddresses = keyAddressWrites(db);
  const addToDay = boundStatement(db, () =>
    db
      .insert(keyDays)
      .values({
        keyId: sql.placeholder('id'),
        day: sql.placeholder('day'),
        requests: sql.placeholder('requests'),
        posts: sql.placeholder('posts'),
      })
      .onConflictDoUpdate({
        target: [keyDays.keyId, keyDays.day],
        set: { requests: sql`${keyDays.requests} + excluded.requests`, posts: sql`${keyDays.posts} + excluded.posts` },
      }),
  );
  const writeRank = prepared(db, () => db.update(workspace).set({ countedRank: sql`${sql.placeholder('rank')}` }));

  return {
    rank: (rank: number) => void writeRank.run({ rank }),
    key: (id: string, { posts, rank, kinds, last, tally }: NewKeyUse): void => {
      updateKey.run({
        id,
        rank,
        kinds,
        postCount: sumOf(posts),
        requestCount: tally?.requestCount ?? 0,
        // After a kill, only the posts tell when the key was used.
        lastUsedAt: tally?.lastUsedAt ?? last?.at ?? null,
        lastUsedAddress: tally?.lastUsedAddress ?? last?.address ?? null,
      });
      const requestDay = tally && dayOf(tally.lastUsedAt);
      for (const [day, count] of posts) {
        const requests = day === requestDay ? (tally?.requestCount ?? 0) : 0;
        addToDay.run({ id, day, requests, posts: count });
      }
      if (!tally) return;
      if (requestDay !== undefined && !posts.has(requestDay))
        addToDay.run({ id, day: requestDay, requests: tally.requestCount, posts: 0 });
      saveAddresses(id, tally.addresses);
    },
  };
}

function sumOf(posts: PostsByDay): number {
  let sum = 0;
  for (const count of posts.values()) sum += count;
  return sum;
}
