import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { Conversion, ItemRecord } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import type { ItemBasics } from './item-basics.queries.ts';
import type { ChangeWrites } from './item-changes.queries.ts';
import { items } from './tables/items.table.ts';

/** Each function runs inside a writer transaction. */
export function conversionWrites(
  db: Db,
  { create, find, requireUndeleted, report }: ItemBasics,
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
    /** The first conversion wins, regardless of what a second one requests. */
    convert: ({ messageId, item }: Conversion): { item: ItemRecord; isNew: boolean } => {
      const message = requireUndeleted(messageId, item.actingUser);
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
    /** Call this after the result of a conversion was deleted, so that the message can be converted again. */
    unlink: (result: ItemRecord, at: number): void => {
      if (result.sourceId === null) return;
      const message = unlink.get({ messageId: result.sourceId, conversionId: result.id });
      if (message) report({ item: message, change: 'changed', at });
    },
  };
}
