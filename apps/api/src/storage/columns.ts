import { sql } from 'drizzle-orm';
import { items } from './schema/items.table.ts';
import { users } from './schema/users.table.ts';

/** Looks up the number by which items and events refer to the Hub of the placeholder `hubId`. */
export const hubNumber = sql`(select number from hubs where id = ${sql.placeholder('hubId')})`;

/** Looks up the id of the Hub of an item. */
export const hubIdOfItem = sql<string>`(select id from hubs where number = ${items.hubNumber})`;

/** The fields of a user, without secrets. */
export const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  createdAt: users.createdAt,
  disabledAt: users.disabledAt,
  lastSeenAt: users.lastSeenAt,
};
