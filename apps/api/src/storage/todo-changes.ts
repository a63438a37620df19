import { and, desc, eq, sql } from 'drizzle-orm';
import { alias, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Connection } from './engine/connection.ts';
import { build, given, query } from './engine/query.ts';
import { insertInto } from './engine/write.ts';
import type { TRACKED_COLUMNS } from './schema/items.table.ts';
import { users } from './schema/users.table.ts';

/** The fields of a to-do whose changes are kept, with their new values. */
export const todoChanges = sqliteTable(
  'todo_changes',
  {
    itemId: text().notNull(),
    /** The version of the to-do after the change. */
    version: integer().notNull(),
    field: text().$type<(typeof TRACKED_COLUMNS)[number]>().notNull(),
    value: text(),
    at: integer().notNull(),
    /** `null`: the local admin. */
    byId: text(),
  },
  (change) => [primaryKey({ columns: [change.itemId, change.version, change.field] })],
);

const assignee = alias(users, 'assignee');
const by = alias(users, 'by_user');
const list = query(() =>
  build
    .select({
      field: todoChanges.field,
      value: todoChanges.value,
      at: todoChanges.at,
      by: { id: by.id, name: by.name },
      assigneeName: assignee.name,
    })
    .from(todoChanges)
    .leftJoin(by, eq(by.id, todoChanges.byId))
    .leftJoin(assignee, and(eq(todoChanges.field, 'assigneeId'), eq(assignee.id, todoChanges.value)))
    .where(eq(todoChanges.itemId, given('itemId')))
    .orderBy(desc(todoChanges.version), desc(todoChanges.field))
    .limit(sql`${given('limit')}` as unknown as number),
);

export function todoChangeReads(on: Connection) {
  return {
    /** Lists the changes of a to-do, newest first. */
    list: async (itemId: string, limit: number) => on.all(list, { itemId, limit }),
  };
}

const insert = insertInto(todoChanges);

export function todoChangeWrites(on: Connection) {
  return { ...todoChangeReads(on), insert: async (change: typeof todoChanges.$inferSelect) => on.run(insert, change) };
}
