import { eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { ItemRecord, NewItem } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import type { ItemBasics } from './item-basics.queries.ts';
import { items } from './tables/items.table.ts';

/** Each function runs inside a writer transaction. */
export function replyWrites(db: Db, { create, find, requireUndeleted, report }: ItemBasics) {
  const recount = db
    .update(items)
    .set({
      replyCount: sql`${items.replyCount} + ${sql.placeholder('added')}`,
      // Without an alias, the column would refer to the message itself.
      lastReplyAt: sql`(select reply.created_at from ${items} as reply where reply.parent_id = ${sql.placeholder('id')}
        and reply.deleted_at is null order by reply.rank desc limit 1)`,
    })
    .where(eq(items.id, sql.placeholder('id')))
    .prepare();

  return {
    create: (reply: NewItem): ItemRecord => {
      const parent = reply.parentId === null ? undefined : requireUndeleted(reply.parentId, reply.actingUser);
      if (parent?.kind !== 'message') throw new AppError('not_found', notFound('message', reply.parentId));
      const created = create({ ...reply, hubId: parent.hubId });
      recount.run({ id: parent.id, added: 1 });
      report({ item: parent, change: 'changed', at: reply.createdAt });
      return created;
    },
    /** Updates the reply count of a message after a reply was deleted (−1) or restored (+1). */
    recount: (parentId: string, added: 1 | -1, at: number): void => {
      const parent = find(parentId);
      if (!parent) return;
      recount.run({ id: parentId, added });
      report({ item: parent, change: 'changed', at });
    },
  };
}
