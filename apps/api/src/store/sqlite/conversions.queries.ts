import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { Conversion, ItemRecord } from '../item-store.ts';
import type { Db } from './database.ts';
import type { ItemBasics } from './item-basics.queries.ts';
import type { ChangeWrites } from './item-changes.queries.ts';
import { items } from './tables/items.table.ts';

/** Each function runs inside a transaction of the writer. */
export function conversionWrites(
  db: Db,
  { create, find, present, report }: ItemBasics,
  { requireAssignee }: Pick<ChangeWrites, 'requireAssignee'>,
) {
  const link = db
    .update(items)
    .set({
      conversionId: sql`${sql.placeholder('conversionId')}`,
      conversionKind: sql`${sql.placeholder('conversionKind')}`,
    })
    .where(eq(items.id, sql.placeholder('messageId')))
    .prepare();
  const unlink = db
    .update(items)
    .set({ conversionId: null, conversionKind: null })
    .where(and(eq(items.id, sql.placeholder('messageId')), eq(items.conversionId, sql.placeholder('conversionId'))))
    .returning({ id: items.id, hubId: items.hubId, kind: items.kind })
    .prepare();

  return {
    /** The first conversion wins, whatever a second one asks for. */
    convert: ({ messageId, item }: Conversion): { item: ItemRecord; isNew: boolean } => {
      const message = present(messageId, item.by);
      if (message.kind !== 'message' && message.kind !== 'reply') {
        throw new AppError('not_found', notFound('message', messageId));
      }
      const former = message.conversionId === null ? undefined : find(message.conversionId);
      if (former && former.deletedAt === null) return { item: former, isNew: false };
      requireAssignee(message.hubId, item.assigneeId);
      const created = create({ ...item, hubId: message.hubId, sourceId: messageId });
      link.run({ messageId, conversionId: created.id, conversionKind: created.kind });
      report({ item: message, change: 'changed', at: item.createdAt });
      return { item: created, isNew: true };
    },
    /** After what a message became was deleted: it can be converted anew. */
    unlink: (product: ItemRecord, at: number): void => {
      if (product.sourceId === null) return;
      const message = unlink.get({ messageId: product.sourceId, conversionId: product.id });
      if (message) report({ item: message, change: 'changed', at });
    },
  };
}
