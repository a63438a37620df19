import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';

/**
 * The event log of each Hub: changes in the order of `seq`, which starts at 1 and has no gaps. A row is written in the
 * same transaction as the change, and refers to the item instead of copying it: see
 * docs/adr/0003-events-point-at-items.md.
 */
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
    /** JSON: the data of the event if it is not about an item. */
    data: text(),
  },
  (event) => [primaryKey({ columns: [event.hubNumber, event.seq] })],
);
