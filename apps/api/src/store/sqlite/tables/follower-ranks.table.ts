import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Up to which rank of the items the search index and the keys' post counters have come. */
export const followerRanks = sqliteTable('follower_ranks', {
  name: text().primaryKey(),
  rank: integer().notNull(),
});
