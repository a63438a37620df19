import { LIMITS, type Reaction } from '@hub/contract';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { alias, type SQLiteSelect } from 'drizzle-orm/sqlite-core';
import type { Connection, MaybePromise } from './engine/connection.ts';
import { build, columnsWithout, given, query, rawQuery, select } from './engine/query.ts';
import { deleteFrom, insertInto, update, updatesOf } from './engine/write.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { CONTENT_COLUMNS, items, reactions } from './schema/items.table.ts';
import { users } from './schema/users.table.ts';

/** Looks up the number by which items and events refer to the Hub of the placeholder `hubId`. */
export const hubNumber = sql`(select number from hubs where id = ${given('hubId')})`;

export const hubIdOfItem = sql<string>`(select id from hubs where number = ${items.hubNumber})`;

/**
 * Whether lists show an item: a deleted message with replies stays. Must be exactly the condition of the index `items_by_hub`, or SQLite does not
 * use it.
 */
export const isListed = sql`(${items.deletedAt} is null or (${items.kind} = 'message' and ${items.replyCount} > 0))`;

type Item = typeof items.$inferSelect;

/** The kinds of rows. A reply is a message under another item, and appears in none of its Hub's lists. */
export type ItemRowKind = Item['kind'];
export type ItemKind = Exclude<ItemRowKind, 'reply'>;

/** The kinds of rows of each kind of item on the wire: replies are messages. */
export const ROWS_OF: Readonly<Record<ItemKind, readonly ItemRowKind[]>> = {
  message: ['message', 'reply'],
  note: ['note'],
  todo: ['todo'],
};

export const FIRST_STATUS = { message: null, reply: null, note: null, todo: 'open' } as const;

/** The content of an item. Fields that its kind does not have are `null`. */
export type ItemContent = Pick<Item, (typeof CONTENT_COLUMNS)[number]>;

export const NO_CONTENT = Object.fromEntries(CONTENT_COLUMNS.map((name) => [name, null])) as Record<
  keyof ItemContent,
  null
>;

export type NewItem = ItemContent &
  Pick<Item, 'id' | 'kind' | 'createdAt' | 'authorId' | 'assigneeId' | 'parentId' | 'sourceId' | 'question'> & {
    hubId: string;
  };

export interface NewPost extends ItemContent {
  id: string;
  kind: ItemKind;
  hubId: string;
  createdAt: number;
  keyId: string;
  /** Known here already, so that it need not be read again to show the post. */
  keyName: string;
  address: string;
  requestId: string;
}

/** Fields of an item that can change; omitted ones are kept. */
export type ItemUpdate = Partial<
  Omit<Item, 'globalSeq' | 'id' | 'hubNumber' | 'kind' | 'seq' | 'address' | 'requestId' | 'removalId'>
>;

type ReactionRecord = Omit<typeof reactions.$inferSelect, 'at'>;

const author = alias(users, 'author');
const assignee = alias(users, 'assignee');
const finisher = alias(users, 'finisher');
const editor = alias(users, 'editor');

/** The number of newest replies that are searched for the latest repliers. */
const REPLIES_EXAMINED = 30;

/** An item with the names of the users involved, which `joinNames` finds. */
export const itemColumns = {
  ...columnsWithout(items, 'hubNumber', 'address', 'requestId', 'removalId'),
  hubId: hubIdOfItem,
  authorName: sql<string>`coalesce(${author.name}, (select bot_name from workspace))`,
  keyName: apiKeys.name,
  assigneeName: assignee.name,
  finishedByName: finisher.name,
  editedByName: editor.name,
  /** Ids of users, each with an emoji, oldest reaction first; `null` for most items. */
  reactions: sql<string | null>`(select string_agg(user_id || ' ' || emoji, ',' order by at, user_id)
    from reactions where item_id = ${items.id})`,
  /** Ids of the users who wrote the newest replies, most recent first; most messages have none. */
  repliers: sql<string | null>`case when ${items.lastReplyAt} is not null then
    (select string_agg(author_id, ' ' order by place desc) from
      (select author_id, max(place) as place from
        (select author_id, global_seq as place from items as reply where reply.parent_id = ${items.id}
          and reply.deleted_at is null order by reply.global_seq desc limit ${sql.raw(String(REPLIES_EXAMINED))}) as newest
        group by author_id order by max(place) desc limit ${sql.raw(String(LIMITS.namedRepliers))}) as named) end`,
  mentions: sql<string | null>`(select string_agg(user_id, ' ') from mentions
    where item_id = ${items.id} and is_named)`,
};

export function joinNames<T extends SQLiteSelect>(select: T) {
  return select
    .leftJoin(author, eq(author.id, items.authorId))
    .leftJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .leftJoin(assignee, eq(assignee.id, items.assigneeId))
    .leftJoin(finisher, eq(finisher.id, items.finishedById))
    .leftJoin(editor, eq(editor.id, items.editedById));
}

/** Selects items. The caller adds conditions. */
export function selectItems() {
  return joinNames(build.select(itemColumns).from(items).$dynamic());
}

export type ItemRow = ReturnType<ReturnType<typeof selectItems>['all']>[number];

export type ItemRecord = Omit<ItemRow, 'reactions' | 'mentions' | 'repliers'> & {
  reactions: Reaction[];
  mentions: string[];
  repliers: string[];
};

export function toItemRecord({ reactions, mentions, repliers, ...row }: ItemRow): ItemRecord {
  return {
    ...row,
    reactions: groupReactions(reactions),
    mentions: mentions?.split(' ').sort() ?? [],
    repliers: repliers?.split(' ') ?? [],
  };
}

function groupReactions(list: string | null): Reaction[] {
  if (list === null) return [];
  const byEmoji = new Map<string, string[]>();
  for (const reaction of list.split(',')) {
    const [userId = '', emoji = ''] = reaction.split(' ');
    const userIds = byEmoji.get(emoji);
    if (userIds) userIds.push(userId);
    else byEmoji.set(emoji, [userId]);
  }
  return [...byEmoji].map(([emoji, userIds]) => ({ emoji, userIds }));
}

const hasId = eq(items.id, given('id'));
const find = query(() => selectItems().where(hasId));
const { keyId, address, requestId } = items;
const findOrigin = select({ keyId, address, requestId }, items, hasId);

const isByUser = eq(items.authorKind, 'user');
const findAuthor = select({ id: items.authorId }, items, and(hasId, isByUser));
const writersOfReplies = select(
  { id: items.authorId, kind: items.authorKind },
  items,
  eq(items.parentId, given('id')),
  { orderBy: desc(items.globalSeq), limit: given('limit') },
);

export function itemReads(on: Connection) {
  return {
    /** Lists the user who wrote this item, and those who wrote its newest replies, deleted or not. */
    listThreadWriters: async (id: string, maxReplies: number): Promise<string[]> => {
      const replies = await on.all(writersOfReplies, { id, limit: maxReplies });
      const writers = [...(await on.all(findAuthor, { id })), ...replies.filter(({ kind }) => kind === 'user')];
      return [...new Set(writers.map((writer) => writer.id))];
    },
    /** Also finds deleted items until they are erased. */
    find: async (id: string): Promise<ItemRecord | null> => {
      const row = await on.first(find, { id });
      return row ? toItemRecord(row) : null;
    },
    /** Returns the origin of an item posted with a key; `null` for items written by users. */
    findOrigin: async (id: string) => {
      const { keyId = null, address, requestId } = (await on.first(findOrigin, { id })) ?? {};
      return keyId === null ? null : { keyId, address: address ?? '', requestId: requestId ?? '' };
    },
  };
}

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
