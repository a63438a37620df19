import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { bytes } from './column-types.ts';

/** A table of its own, so that the user data read for every request stays small. */
export const avatars = sqliteTable('avatars', {
  /** The id of a user or of the bot. Not a foreign key, because the bot is not a user. */
  ownerId: text().primaryKey(),
  version: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }).notNull(),
  bytes: bytes().notNull(),
});
