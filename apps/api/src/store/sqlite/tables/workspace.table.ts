import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** One row. `epoch` names this history of sequence numbers: restoring a backup begins another. */
export const workspace = sqliteTable('workspace', {
  id: integer().primaryKey(),
  botId: text().notNull(),
  botName: text().notNull(),
  epoch: text().notNull(),
  createdAt: integer().notNull(),
  name: text().notNull().default('Hub'),
  /** Whether members manage the keys of their Hubs, or admins alone. */
  membersManageKeys: integer({ mode: 'boolean' }).notNull().default(true),
  /** New keys end after so many days at most; null for no limit. */
  longestKeyLifetimeDays: integer(),
  /** Up to which rank of the items the keys' post counters have come. */
  countedRank: integer().notNull().default(0),
  /** Of the last start; the same text stands beside the database, unless one of them was replaced (`run-mark.ts`). */
  runId: text().notNull().default(''),
});
