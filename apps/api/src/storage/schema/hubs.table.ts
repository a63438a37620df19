import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const hubs = sqliteTable(
  'hubs',
  {
    /** Items and events refer to it, because in each of their rows it is shorter than the id. */
    number: integer().primaryKey(),
    id: text().notNull().unique('hubs_by_id'),
    name: text().notNull(),
    normalizedName: text().notNull(),
    topic: text(),
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
  // Ids rise with time, so each of these indexes serves a list, newest first.
  (hub) => [
    uniqueIndex('hubs_by_name').on(hub.normalizedName).where(sql`${hub.deletedAt} is null`),
    index('hubs_live').on(hub.id).where(sql`${hub.deletedAt} is null`),
    index('hubs_deleted').on(hub.id).where(sql`${hub.deletedAt} is not null`),
  ],
);
