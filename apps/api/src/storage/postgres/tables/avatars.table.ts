import { pgTable } from 'drizzle-orm/pg-core';
import { bytes, text } from './columns.ts';

/**
 * The avatars of the bot and of the users who have set one. A separate table, so that the user data read for every
 * request stays small.
 */
export const avatars = pgTable('avatars', {
  /** The id of a user or of the bot. Not a foreign key, because the bot is not a user. */
  ownerId: text().primaryKey(),
  /** A hash of the bytes. */
  version: text().notNull(),
  type: text().$type<'image/png' | 'image/jpeg' | 'image/webp'>().notNull(),
  bytes: bytes().notNull(),
});
