import { TODO_FIELD_NAMES } from '@hub/contract';
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, idOf, itemKind } from './column-types.ts';
import { hubs } from './hubs.table.ts';
import { users } from './users.table.ts';

/** The fields of a to-do that are stored as they are sent, in columns of their names. A due date becomes an instant. */
export const PLAIN_TODO_FIELDS = TODO_FIELD_NAMES.filter((name) => name !== 'dueDate');

/** The columns that the author of an item writes, and that a post lists. */
export const CONTENT_COLUMNS = ['title', 'body', 'blocks', 'dueAt', ...PLAIN_TODO_FIELDS, 'files'] as const;

/** The columns of a to-do whose changes its history shows. */
export const TRACKED_COLUMNS = ['assigneeId', 'dueAt', ...PLAIN_TODO_FIELDS, 'status'] as const;

/**
 * All kinds share one table, so that the Stream, search and the event log refer to only one. `globalSeq` is the commit
 * order; in PostgreSQL only within a Hub, whose row is locked while it is taken: items committed in different Hubs in
 * the same moment can have it the other way around.
 */
export const items = sqliteTable(
  'items',
  {
    globalSeq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    hubNumber: integer()
      .notNull()
      .references(() => hubs.number),
    /** A reply is a message under another item, and appears in none of its Hub's lists. */
    kind: itemKind(),
    /** The sequence number of the event that announced the item. */
    seq: integer().notNull(),
    createdAt: integer().notNull(),
    authorKind: text({ enum: ['bot', 'user'] }).notNull(),
    authorId: text().notNull(),
    /** The origin of a post by the bot. */
    keyId: text(),
    address: text(),
    requestId: text(),
    title: text(),
    /** A message's `text`, a note's or to-do's `content`: Markdown as it was sent. */
    body: text(),
    /** A message's Editor.js blocks as JSON, as they were sent. */
    blocks: text(),
    dueAt: integer(),
    priority: text({ enum: ['LOW', 'MEDIUM', 'HIGH', 'URGENT'] }),
    /** The files as they are shown, as JSON; `null` for most items. */
    files: text(),
    status: text({ enum: ['open', 'done'] }),
    assigneeId: text(),
    /** When a to-do was done, or a question answered, and by whom. */
    finishedAt: integer(),
    finishedById: text(),
    /** The question of a message, as JSON (`workspace/items/questions.ts`). */
    question: text(),
    /** The item to which a reply belongs. */
    parentId: text(),
    replyCount: integer().notNull().default(0),
    lastReplyAt: integer(),
    /** The result of converting a message, and the source message of a note or to-do. */
    conversionId: text(),
    conversionKind: text({ enum: ['todo', 'note'] }),
    sourceId: text(),
    version: integer().notNull().default(1),
    editedAt: integer(),
    /** The last editor, if other than the author. The local admin has no id. */
    editedByKind: text({ enum: ['user', 'local'] }),
    editedById: text(),
    deletedAt: integer(),
    /** The user who deleted the item on its own. The local admin has no id. */
    deletedById: text(),
    /** The removal that deleted the item, if any. */
    removalId: text(),
  },
  (item) => [
    uniqueIndex('items_by_id').on(item.id),
    // Deleted items are left out, so that no page of a list has to skip them, but for messages with replies.
    index('items_by_hub')
      .on(item.hubNumber, item.kind, item.globalSeq)
      .where(sql`${item.deletedAt} is null or (${item.kind} = 'message' and ${item.replyCount} > 0)`),
    // These indexes contain only a few of the items, and cost nothing when a key posts.
    index('items_by_parent').on(item.parentId, item.globalSeq).where(sql`${item.parentId} is not null`),
    index('items_by_assignee').on(item.assigneeId, item.globalSeq).where(sql`${item.assigneeId} is not null`),
    index('items_by_deletion').on(item.deletedAt, item.globalSeq).where(sql`${item.deletedAt} is not null`),
    index('items_deleted_by_hub')
      .on(item.hubNumber, item.globalSeq)
      .where(sql`${item.deletedAt} is not null and ${item.removalId} is null`),
    index('items_by_removal').on(item.removalId, item.globalSeq).where(sql`${item.removalId} is not null`),
  ],
);

export const reactions = sqliteTable(
  'reactions',
  { itemId: text().notNull(), emoji: text().notNull(), userId: idOf(() => users.id), at: integer().notNull() },
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

/** The log of each Hub in order, without gaps. It refers to items (docs/adr/README.md). */
export const events = sqliteTable(
  'events',
  {
    hubNumber: integer()
      .notNull()
      .references(() => hubs.number),
    seq: integer().notNull(),
    at: integer().notNull(),
    event: text().notNull(),
    itemId: text(),
    data: text(),
  },
  (event) => [primaryKey({ columns: [event.hubNumber, event.seq] })],
);
