import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { apiKeys } from './api-keys.table.ts';
import { hubs } from './hubs.table.ts';
import { users } from './users.table.ts';

export const reactions = sqliteTable(
  'reactions',
  {
    itemId: text().notNull(),
    emoji: text().notNull(),
    personId: text()
      .notNull()
      .references(() => users.id),
    at: integer().notNull(),
  },
  (reaction) => [primaryKey({ columns: [reaction.itemId, reaction.emoji, reaction.personId] })],
);

/**
 * To whom an item is addressed: whom its text names, and, of a reply, in whose thread it is. By rank, so that what is addressed
 * to a person is a list, newest first.
 */
export const mentions = sqliteTable(
  'mentions',
  {
    personId: text()
      .notNull()
      .references(() => users.id),
    itemRank: integer().notNull(),
    itemId: text().notNull(),
    hubId: text().notNull(),
    /** Of its item. */
    kind: text({ enum: ['message', 'note', 'todo', 'reply'] }).notNull(),
    isNamed: integer({ mode: 'boolean' }).notNull(),
    /** The reply is in a thread of this person. */
    hasResponse: integer('is_answered', { mode: 'boolean' }).notNull(),
    isUnread: integer({ mode: 'boolean' }).notNull(),
  },
  (mention) => [
    primaryKey({ columns: [mention.personId, mention.itemRank] }),
    index('mentions_by_item').on(mention.itemId),
    index('mentions_unread').on(mention.personId, mention.hubId, mention.itemRank).where(sql`${mention.isUnread}`),
  ],
);

/** Items whose words have changed since they were written, in order: what the search index has to read again. */
export const touchedItems = sqliteTable('touched_items', {
  id: integer().primaryKey({ autoIncrement: true }),
  rank: integer().notNull(),
  at: integer().notNull(),
});

/** The removal of what a key has posted. Its items carry its id, so that it can be undone. */
export const removals = sqliteTable(
  'removals',
  {
    id: text().primaryKey(),
    keyId: text()
      .notNull()
      .references(() => apiKeys.id),
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    fromAt: integer(),
    toAt: integer(),
    count: integer().notNull(),
    removedAt: integer().notNull(),
    undoneAt: integer(),
  },
  (removal) => [index('removals_by_key').on(removal.keyId, removal.id)],
);

/** What a key did on one day (days since 1970, UTC). */
export const keyDays = sqliteTable(
  'key_days',
  {
    keyId: text()
      .notNull()
      .references(() => apiKeys.id),
    day: integer().notNull(),
    requests: integer().notNull().default(0),
    posts: integer().notNull().default(0),
    /** Blocks that began on it. */
    blocks: integer().notNull().default(0),
  },
  (keyDay) => [primaryKey({ columns: [keyDay.keyId, keyDay.day] })],
);

/** From where a key was used: of each key the addresses that were seen last, a few. */
export const keyAddresses = sqliteTable(
  'key_addresses',
  {
    keyId: text()
      .notNull()
      .references(() => apiKeys.id),
    address: text().notNull(),
    lastUsedAt: integer().notNull(),
    requests: integer().notNull(),
  },
  (keyAddress) => [primaryKey({ columns: [keyAddress.keyId, keyAddress.address] })],
);
