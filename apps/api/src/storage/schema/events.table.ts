import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';

/** The log of each Hub in order, without gaps. It refers to items (docs/adr/0003-events-point-at-items.md). */
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
