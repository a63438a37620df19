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
    kind: text({ enum: ['message', 'note', 'todo'] }).notNull(),
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
  },
  (item) => [
    uniqueIndex('items_by_id').on(item.id),
    // A key is of one Hub, so its posts are found here too; an index by key would cost a page of disk per post.
    index('items_by_hub').on(item.hubId, item.kind, item.rank),
  ],
);
