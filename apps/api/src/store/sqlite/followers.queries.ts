import { eq, sql } from 'drizzle-orm';
import type { Db } from './database.ts';
import { followerRanks } from './tables/follower-ranks.table.ts';

/** How far something that follows the items has come: it has seen all up to this rank, and none beyond. */
export function followers(db: Db, name: 'search' | 'post_counts') {
  const write = db
    .insert(followerRanks)
    .values({ name, rank: sql.placeholder('rank') })
    .onConflictDoUpdate({ target: followerRanks.name, set: { rank: sql`excluded.rank` } })
    .prepare();
  return {
    read: (): number => db.select().from(followerRanks).where(eq(followerRanks.name, name)).get()?.rank ?? 0,
    write: (rank: number): void => {
      write.run({ rank });
    },
  };
}
