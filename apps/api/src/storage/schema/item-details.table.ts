import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { flag, idOf, itemKind } from './column-types.ts';
import { users } from './users.table.ts';

export const reactions = sqliteTable(
  'reactions',
  {
    itemId: text().notNull(),
    emoji: text().notNull(),
    userId: idOf(() => users.id),
    at: integer().notNull(),
  },
  (reaction) => [primaryKey({ columns: [reaction.itemId, reaction.emoji, reaction.userId] })],
);

/** The users that an item concerns: those mentioned in its text and, for a reply, the participants of its thread. */
export const mentions = sqliteTable(
  'mentions',
  {
    userId: idOf(() => users.id),
    itemGlobalSeq: integer().notNull(),
    itemId: text().notNull(),
    hubId: text().notNull(),
    kind: itemKind(),
    isNamed: flag(),
    /** Whether the item is a reply in a thread that this user takes part in. */
    hasResponse: integer('is_answered', { mode: 'boolean' }).notNull(),
    isUnread: flag(),
  },
  (mention) => [
    primaryKey({ columns: [mention.userId, mention.itemGlobalSeq] }),
    index('mentions_by_item').on(mention.itemId),
    index('mentions_unread').on(mention.userId, mention.hubId, mention.itemGlobalSeq).where(sql`${mention.isUnread}`),
  ],
);

/** Items whose text has changed since they were created, in order, for the search index to read again. */
export const touchedItems = sqliteTable('touched_items', {
  id: integer().primaryKey({ autoIncrement: true }),
  globalSeq: integer().notNull(),
  at: integer().notNull(),
});
