import { boolean, pgTable } from 'drizzle-orm/pg-core';
import { integer, text } from './columns.ts';

/** One row. `epoch` identifies this history of sequence numbers; restoring a backup starts a new one. */
export const workspace = pgTable('workspace', {
  id: integer().primaryKey(),
  botId: text().notNull(),
  botName: text().notNull(),
  epoch: text().notNull(),
  createdAt: integer().notNull(),
  name: text().notNull().default('Hub'),
  /** Whether members may manage the keys of their Hubs, or only admins. */
  membersManageKeys: boolean().notNull().default(true),
  /** Maximum lifetime of new keys in days; null for no limit. */
  longestKeyLifetimeDays: integer(),
  /**
   * The cluster and the database in which this workspace was last opened. They differ from the present ones if it was
   * restored from a dump (`database-id.ts`).
   */
  databaseId: text().notNull(),
});
