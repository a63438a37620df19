import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Connection, MaybePromise } from './engine/connection.ts';
import { given, rawQuery } from './engine/query.ts';
import { deleteFrom, insertInto, update, updatesOf } from './engine/write.ts';
import {
  FIRST_STATUS,
  hasId,
  hubNumber,
  type ItemRecord,
  type ItemUpdate,
  itemReads,
  type NewItem,
  type ReactionRecord,
} from './items.ts';
import { CONTENT_COLUMNS, items, reactions } from './schema/items.table.ts';

/**
 * Locks an item, and first its Hub, whose row gets the number of the next event. Everything that locks both does so in
 * this order; otherwise, a reply and the deletion of another one would wait for each other.
 */
const lock = rawQuery(
  sql`select items.id from hubs join items on items.hub_number = hubs.number where items.id = ${given('id')}`,
  () => true,
);
const insertItem = insertInto(items, {
  columns: [
    ...(['id', 'hubNumber', 'kind', 'seq', 'createdAt', ...CONTENT_COLUMNS, 'status'] as const),
    ...(['authorKind', 'authorId', 'assigneeId', 'parentId', 'sourceId', 'question'] as const),
  ],
  values: { hubNumber },
});
const insert = rawQuery(sql`${insertItem.sql} returning global_seq`, ([globalSeq]) => Number(globalSeq), true);
const updates = updatesOf(items, hasId);
const countReplies = update(
  items,
  {
    replyCount: sql`${items.replyCount} + ${given('added')}`,
    // Without an alias, the column would refer to the parent itself.
    lastReplyAt: sql`(select reply.created_at from ${items} as reply where reply.parent_id = ${given('id')}
      and reply.deleted_at is null order by reply.global_seq desc limit 1)`,
  },
  hasId,
);
const leaveRemoval = update(items, { removalId: null }, and(hasId, isNotNull(items.removalId)));
const insertReaction = insertInto(reactions);
const isReaction = (['itemId', 'emoji', 'userId'] as const).map((name) => eq(reactions[name], given(name)));
const deleteReaction = deleteFrom(reactions, and(...isReaction));

/** Keeps what searches read in step with the items, in the way of each database. */
export interface ItemIndexing {
  /** Sent together with the insert, after it. */
  inserted(item: NewItem): MaybePromise<void>;
  /** These fields of the items have changed. */
  changed(globalSeqs: readonly number[], fields: readonly string[], at: number): MaybePromise<void>;
  erased(globalSeqs: readonly number[]): MaybePromise<void>;
  eraseTouched(range: { cutoff: number; limit: number }): MaybePromise<number>;
}

export function itemChanges(on: Connection, indexing: ItemIndexing) {
  return {
    /** The item stays as it is until the transaction ends. */
    find: async (id: string): Promise<ItemRecord | null> => {
      // A single query that waits for the lock would return the new row with the old names. Both are sent at once.
      const [, item] = await Promise.all([on.hold(lock, { id }), itemReads(on).find(id)]);
      return item;
    },
    listThreadWriters: itemReads(on).listThreadWriters,
    /** Inserts an item by a user, and returns its global sequence number. A to-do is open. */
    insert: async (item: NewItem & { seq: number }): Promise<number> => {
      const [globalSeq = 0] = await Promise.all([
        on.first(insert, { ...item, authorKind: 'user', status: FIRST_STATUS[item.kind] }),
        indexing.inserted(item),
      ]);
      return globalSeq;
    },
    update: async (
      { id, globalSeq }: Pick<ItemRecord, 'id' | 'globalSeq'>,
      changes: ItemUpdate,
      at: number,
    ): Promise<void> => {
      await on.run(updates(changes), { id, ...changes });
      await indexing.changed([globalSeq], Object.keys(changes), at);
    },
    countReplies: async (id: string, added: number) => on.run(countReplies, { id, added }),
    /** Undoing a removal no longer restores this item. Returns false if no removal has deleted it. */
    leaveRemoval: async (itemId: string): Promise<boolean> => (await on.run(leaveRemoval, { id: itemId })) > 0,
    insertReaction: async (reaction: ReactionRecord & { at: number }) => on.run(insertReaction, reaction),
    deleteReaction: async (reaction: ReactionRecord) => on.run(deleteReaction, reaction),
  };
}
