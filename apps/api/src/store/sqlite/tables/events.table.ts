import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hubs } from './hubs.table.ts';

/**
 * The event log of each Hub: what changed, in the order of `seq`, which starts at 1 and has no holes. A row is
 * written in the transaction of the change that it tells of, and points at the item instead of copying it: see
 * docs/adr/0003-events-point-at-items.md.
 */
export const events = sqliteTable(
  'events',
  {
    hubId: text()
      .notNull()
      .references(() => hubs.id),
    seq: integer().notNull(),
    at: integer().notNull(),
    event: text().notNull(),
    itemId: text(),
    /** JSON: what the event tells, if it is not of an item. */
    data: text(),
  },
  (event) => [primaryKey({ columns: [event.hubId, event.seq] })],
);
