import { eq, sql } from 'drizzle-orm';
import { dayOf } from '../../time.ts';
import type { KeyUsageTally } from '../key-use.ts';
import { boundStatement } from './engine/bound-statement.ts';
import type { Db } from './engine/database.ts';
import { keyAddressWrites } from './key-addresses.queries.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { keyDays } from './tables/item-details.table.ts';
import { workspace } from './tables/workspace.table.ts';

/** How many posts by a key were accepted on each day (days since 1970, UTC). Usually a single day. */
export type PostsByDay = ReadonlyMap<number, number>;

interface NewKeyUse {
  posts: PostsByDay;
  /** See `post-kinds.ts`. */
  kinds: number;
  tally: KeyUsageTally | undefined;
}

/** Saves what `createPostCounts` has counted, inside a writer transaction. */
export function postCountWrites(db: Db) {
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

export function sumOf(posts: PostsByDay): number {
  let sum = 0;
  for (const count of posts.values()) sum += count;
  return sum;
}
