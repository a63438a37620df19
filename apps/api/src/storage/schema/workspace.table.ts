import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bytes, flag } from './column-types.ts';

/** One row. `epoch` identifies this history of sequence numbers; restoring a backup starts a new one. */
export const workspace = sqliteTable('workspace', {
  id: integer().primaryKey(),
  botId: text().notNull(),
  botName: text().notNull(),
  epoch: text().notNull(),
  createdAt: integer().notNull(),
  name: text().notNull().default('Hub'),
  /** Whether members may manage the keys of their Hubs, or only admins. */
  membersManageKeys: flag().default(true),
  /** Maximum lifetime of new keys in days; null for no limit. */
  longestKeyLifetimeDays: integer(),
  /** The users who must have a second factor. */
  secondFactor: text({ enum: ['optional', 'admins', 'everyone'] })
    .notNull()
    .default('optional'),
  /** 32 random bytes for challenges; null before the first one. */
  secret: bytes(),
  /** The post counters of all keys include the items up to this global sequence number. */
  countedGlobalSeq: integer().notNull().default(0),
  /** The sum of the sizes of all files. */
  fileBytes: integer().notNull().default(0),
  /** The id of the last start, also in a file next to the database; they differ if either was replaced (`epoch.ts`). */
  runId: text().notNull().default(''),
});
