import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const hubs = sqliteTable(
  'hubs',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    conversationId: text().notNull(),
    notesBucketId: text().notNull(),
    todosBucketId: text().notNull(),
    /** The sequence number of the Hub's newest event; the next event takes the one after it. */
    seq: integer().notNull().default(0),
    /** The number of messages, notes and to-dos, kept up to date so that rows need not be counted. */
    itemCount: integer().notNull().default(0),
    createdAt: integer().notNull(),
    deletedAt: integer(),
    /** Days after which the Hub's items are pruned; `null`: never. */
    retentionDays: integer(),
  },
  // Ids rise with time, so each of these two indexes serves a list, newest first. The primary key serves the list of
  // all Hubs.
  (hub) => [
    index('hubs_live').on(hub.id).where(sql`${hub.deletedAt} is null`),
    index('hubs_deleted').on(hub.id).where(sql`${hub.deletedAt} is not null`),
  ],
);
