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
    createdAt: integer().notNull(),
    deletedAt: integer(),
  },
  // Ids rise with time, so this order is both "live Hubs first" and newest first.
  (hub) => [index('hubs_by_deletion').on(hub.deletedAt, hub.id)],
);
