import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Connection } from './engine/connection.ts';
import { given, select } from './engine/query.ts';
import { deleteFrom, insertInto } from './engine/write.ts';
import { idOf } from './schema/column-types.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
import { users } from './schema/users.table.ts';

/** The items that members have pinned to their Hub. A deleted item keeps its pin until another takes its place. */
export const pins = sqliteTable(
  'pins',
  {
    itemId: text().primaryKey(),
    hubId: idOf(() => hubs.id),
    pinnedAt: integer().notNull(),
    pinnedById: idOf(() => users.id),
  },
  (pin) => [index('pins_by_hub').on(pin.hubId, pin.pinnedAt, pin.itemId)],
);

const ofHub = eq(pins.hubId, given('hubId'));
const ofItem = eq(pins.itemId, given('itemId'));
const list = select(
  { itemId: pins.itemId, pinnedAt: pins.pinnedAt, pinnedBy: { id: users.id, name: users.name } },
  pins,
  and(ofHub, isNull(items.deletedAt)),
  {
    joins: [
      [items, eq(items.id, pins.itemId)],
      [users, eq(users.id, pins.pinnedById)],
    ],
    orderBy: [desc(pins.pinnedAt), desc(pins.itemId)],
  },
);

export function pinReads(on: Connection) {
  return {
    /** Lists the pins of items that are not deleted, latest first. */
    list: async (hubId: string) => on.all(list, { hubId }),
  };
}

const insert = insertInto(pins);
const remove = deleteFrom(pins, ofItem);
const removeDeleted = deleteFrom(
  pins,
  sql`${ofHub} and exists (select 1 from ${items} where ${items.id} = ${pins.itemId}
    and ${items.deletedAt} is not null)`,
);

export function pinChanges(on: Connection) {
  return {
    ...pinReads(on),
    /** Inserts a pin, and deletes those of deleted items. */
    insert: async (pin: typeof pins.$inferSelect): Promise<void> => {
      await on.run(removeDeleted, { hubId: pin.hubId });
      await on.run(insert, pin);
    },
    delete: async (itemId: string) => on.run(remove, { itemId }),
  };
}
