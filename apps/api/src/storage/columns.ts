import { sql } from 'drizzle-orm';
import { given } from './engine/query.ts';
import { items } from './schema/items.table.ts';

/** Looks up the number by which items and events refer to the Hub of the placeholder `hubId`. */
export const hubNumber = sql`(select number from hubs where id = ${given('hubId')})`;

export const hubIdOfItem = sql<string>`(select id from hubs where number = ${items.hubNumber})`;

/** Whether lists show an item. Must be exactly the condition of the index `items_by_hub`, or SQLite does not use it. */
export const isListed = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
