import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Connection, MaybePromise } from './engine/connection.ts';
import { given, rawQuery, select } from './engine/query.ts';
import { deleteFrom, insertInto, update, updatesOf } from './engine/write.ts';
import {
  firstStatus,
  hasId,
  hubNumber,
  type ItemRecord,
  type ItemUpdate,
  itemReads,
  type NewItem,
  type ReactionRecord,
} from './items.ts';
import { reactions } from './schema/item-details.table.ts';
import { CONTENT_COLUMNS, items } from './schema/items.table.ts';

/**
 * Locks an item, and first its Hub, whose row gets the number of the next event. Everything that locks both does so in
 * this order; otherwise, a reply and the deletion of another one would wait for each other.
 */
const lock = rawQuery(
  sql`select items.id from hubs join items on items.hub_number = hubs.number where items.id = ${given('id')}`,
  () => true,
);
const isByUser = eq(items.authorKind, 'user');
const findAuthor = select({ id: items.authorId }, items, and(hasId, isByUser));
const writersOfReplies = select(
  { id: items.authorId, kind: items.authorKind },
  items,
  eq(items.parentId, given('id')),
  { orderBy: desc(items.globalSeq), limit: given('limit') },
);
const insertItem = insertInto(items, {
  columns: [
    ...(['id', 'hubNumber', 'kind', 'seq', 'createdAt', ...CONTENT_COLUMNS, 'status'] as const),
    ...(['authorKind', 'authorId', 'assigneeId', 'parentId', 'sourceId'] as const),
  ],
  values: { hubNumber },
});
const insert = rawQuery(sql`${insertItem.sql} returning global_seq`, ([globalSeq]) => Number(globalSeq), true);
const updates = updatesOf(items, hasId);
export const countReplies = update(
  items,
  {
    replyCount: sql`${items.replyCount} + ${given('added')}`,
    // Without an alias, the column would refer to the message itself.
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
    /** Lists the user who wrote this message, and those who wrote its newest replies, deleted or not. */
    listThreadWriters: async (id: string, maxReplies: number): Promise<string[]> => {
      const replies = await on.all(writersOfReplies, { id, limit: maxReplies });
      const writers = [...(await on.all(findAuthor, { id })), ...replies.filter(({ kind }) => kind === 'user')];
      return [...new Set(writers.map((writer) => writer.id))];
    },
    /** Inserts an item by a user, and returns its global sequence number. A to-do is open. */
    insert: async (item: NewItem & { seq: number }): Promise<number> => {
      const [globalSeq = 0] = await Promise.all([
        on.first(insert, { ...item, authorKind: 'user', status: firstStatus(item.kind) }),
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
    countReplies: async (messageId: string, added: 1 | -1) => on.run(countReplies, { id: messageId, added }),
    /** Undoing a removal no longer restores this item. Returns false if no removal has deleted it. */
    leaveRemoval: async (itemId: string): Promise<boolean> => (await on.run(leaveRemoval, { id: itemId })) > 0,
    insertReaction: async (reaction: ReactionRecord & { at: number }) => on.run(insertReaction, reaction),
    deleteReaction: async (reaction: ReactionRecord) => on.run(deleteReaction, reaction),
  };
}
