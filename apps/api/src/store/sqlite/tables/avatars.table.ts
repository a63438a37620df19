import { blob, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * One picture of each person who has chosen one, and of the bot. In a table of its own: what is read of people at every
 * request stays small.
 */
export const avatars = sqliteTable('pictures', {
  /** A person or the bot, which is no person: hence no reference. */
  ownerId: text().primaryKey(),
  /** Made of the bytes. */
  version: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }).notNull(),
  bytes: blob({ mode: 'buffer' }).notNull(),
});
