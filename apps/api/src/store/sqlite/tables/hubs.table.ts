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
    /** The sequence number of the Hub's newest event; the next event takes the one after. */
    seq: integer().notNull().default(0),
    /** Messages, notes and to-dos in it, kept with them, so that nobody has to count rows. */
    itemCount: integer().notNull().default(0),
    createdAt: integer().notNull(),
    deletedAt: integer(),
    /** Days after which its items are pruned; `null`: never. */
    retentionDays: integer(),
  },
  // Ids rise with time: each of the two is a list, newest first. All Hubs together are the primary key.
  (hub) => [
    index('hubs_live').on(hub.id).where(sql`${hub.deletedAt} is null`),
    index('hubs_deleted').on(hub.id).where(sql`${hub.deletedAt} is not null`),
  ],
);
