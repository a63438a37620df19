import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';

/**
 * Messages, notes and to-dos. One table, so that the stream, search and the event log have one thing to point at.
 * `rank` is the order of commit over all Hubs and the row id of the search index.
 */
export const items = sqliteTable(
  'items',
  {
    rank: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    /** A reply is a message under another one, and in no list of a Hub. */
    kind: text({ enum: ['message', 'note', 'todo', 'reply'] }).notNull(),
    /** The sequence number of the event that announced it. */
    seq: integer().notNull(),
    createdAt: integer().notNull(),
    authorKind: text({ enum: ['bot', 'person'] }).notNull(),
    authorId: text().notNull(),
    /** Where a post by the bot came from. */
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
    status: text({ enum: ['open', 'done'] }),
    assigneeId: text(),
    finishedAt: integer(),
    finishedById: text(),
    /** Of a reply: the message above it. */
    parentId: text(),
    replyCount: integer().notNull().default(0),
    lastReplyAt: integer(),
    /** What a message was turned into, and what a note or a to-do was made of. */
    conversionId: text(),
    conversionKind: text({ enum: ['todo', 'note'] }),
    sourceId: text(),
    version: integer().notNull().default(1),
    editedAt: integer(),
    /** Who edited it last, if that is not its author. The local admin has no id. */
    editedByKind: text({ enum: ['person', 'local'] }),
    editedById: text(),
    deletedAt: integer(),
    /** The removal that deleted it, if one did. */
    removalId: text(),
  },
  (item) => [
    uniqueIndex('items_by_id').on(item.id),
    // A key is of one Hub, so its posts are found here too; an index by key would cost a page of disk per post.
    // What was deleted is out of it, so that no page has to step over it; but a thread outlives its message.
    index('items_by_hub')
      .on(item.hubId, item.kind, item.rank)
      .where(sql`${item.deletedAt} is null or ${item.replyCount} > 0`),
    // These hold few of all items, and cost nothing when a key posts.
    index('items_by_parent').on(item.parentId, item.rank).where(sql`${item.parentId} is not null`),
    index('items_by_assignee').on(item.assigneeId, item.rank).where(sql`${item.assigneeId} is not null`),
    index('items_by_deletion').on(item.deletedAt).where(sql`${item.deletedAt} is not null`),
    index('items_by_removal').on(item.removalId, item.rank).where(sql`${item.removalId} is not null`),
  ],
);
