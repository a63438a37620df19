import { ALL_SCOPES, type Scope } from '@hub/contract';
import { and, count, eq, gt, max, sql } from 'drizzle-orm';
import { dayOf } from '../../core/time.ts';
import type { KeyAddressRecord, KeyUsageTally } from '../key-store.ts';
import { boundStatement } from './engine/bound-statement.ts';
import type { Db } from './engine/database.ts';
import type { TransactionState } from './engine/transaction.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { keyAddresses, keyDays } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';

/** Kinds of posts as a bit set, so that the kinds of a key can be updated without reading them first. */
const BITS: Readonly<Record<string, number>> = { message: 1, note: 2, todo: 4 };
const BIT_OF_SCOPE: Readonly<Record<Scope, number>> = { 'messages:create': 1, 'notes:create': 2, 'todos:create': 4 };

function bitOf(kind: string): number {
  return BITS[kind] ?? 0;
}

export function scopesOf(kinds: number): Scope[] {
  return ALL_SCOPES.filter((scope) => (kinds & BIT_OF_SCOPE[scope]) !== 0);
}

/** The bit set of the kinds in a group of items. */
const kindsOfGroup = sql<number>`max(${items.kind} = 'message') + 2 * max(${items.kind} = 'note') + 4 * max(${items.kind} = 'todo')`;

/** How many posts by a key were accepted on each day (days since 1970, UTC). Usually a single day. */
type PostsByDay = ReadonlyMap<number, number>;

interface NewKeyUse {
  posts: PostsByDay;
  /** The bit set of the kinds of the posts. */
  kinds: number;
  tally: KeyUsageTally | undefined;
}

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

/** Saves what `createPostCounts` has counted, inside a writer transaction. */
function postCountWrites(db: Db) {
  const updateKey = boundStatement(
    db,
    db
      .update(apiKeys)
      .set({
        requestCount: sql`${apiKeys.requestCount} + ${sql.placeholder('requestCount')}`,
        postCount: sql`${apiKeys.postCount} + ${sql.placeholder('postCount')}`,
        lastUsedAt: sql`coalesce(${sql.placeholder('lastUsedAt')}, ${apiKeys.lastUsedAt})`,
        lastUsedAddress: sql`coalesce(${sql.placeholder('lastUsedAddress')}, ${apiKeys.lastUsedAddress})`,
        usedKinds: sql`${apiKeys.usedKinds} | ${sql.placeholder('kinds')}`,
      })
      .where(eq(apiKeys.id, sql.placeholder('id'))),
  );
  const saveAddresses = keyAddressWrites(db);
  const addToDay = boundStatement(
    db,
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
  const writeRank = db
    .update(workspace)
    .set({ countedRank: sql`${sql.placeholder('rank')}` })
    .prepare();

  return {
    rank: (rank: number) => void writeRank.run({ rank }),
    key: (id: string, { posts, kinds, tally }: NewKeyUse): void => {
      updateKey.run({
        id,
        kinds,
        postCount: sumOf(posts),
        requestCount: tally?.requestCount ?? 0,
        lastUsedAt: tally?.lastUsedAt ?? null,
        lastUsedAddress: tally?.lastUsedAddress ?? null,
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

/**
 * Maximum number of addresses per key: enough to see which clients have moved to the key's successor. Ever-changing
 * addresses must not fill the disk.
 */
const MAX_ADDRESSES = 20;

export function keyAddressReads(db: Db) {
  const list = db
    .select({
      address: keyAddresses.address,
      lastUsedAt: keyAddresses.lastUsedAt,
      requests: keyAddresses.requests,
    })
    .from(keyAddresses)
    .where(eq(keyAddresses.keyId, sql.placeholder('keyId')))
    .prepare();
  return (keyId: string): KeyAddressRecord[] =>
    list.all({ keyId }).sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** Runs inside a writer transaction: adds uses to the addresses of a key, and deletes the least recently used ones. */
function keyAddressWrites(db: Db) {
  const read = keyAddressReads(db);
  const isOfKey = and(
    eq(keyAddresses.keyId, sql.placeholder('keyId')),
    eq(keyAddresses.address, sql.placeholder('address')),
  );
  const update = boundStatement(
    db,
    db
      .update(keyAddresses)
      .set({
        lastUsedAt: sql`${sql.placeholder('lastUsedAt')}`,
        requests: sql`${keyAddresses.requests} + ${sql.placeholder('requests')}`,
      })
      .where(isOfKey),
  );
  const insert = boundStatement(
    db,
    db.insert(keyAddresses).values({
      keyId: sql.placeholder('keyId'),
      address: sql.placeholder('address'),
      lastUsedAt: sql.placeholder('lastUsedAt'),
      requests: sql.placeholder('requests'),
    }),
  );
  const remove = boundStatement(db, db.delete(keyAddresses).where(isOfKey));
  return (keyId: string, addresses: readonly KeyAddressRecord[]): void => {
    let isAnyNew = false;
    for (const each of addresses) {
      // Nearly always, the key has been used from this address before.
      if (update.run({ keyId, ...each }) > 0) continue;
      insert.run({ keyId, ...each });
      isAnyNew = true;
    }
    if (!isAnyNew) return;
    for (const { address } of read(keyId).slice(MAX_ADDRESSES)) remove.run({ keyId, address });
  };
}
