import { LIMITS, type Reaction } from '@hub/contract';
import { and, desc, eq, getTableColumns, isNotNull, type Placeholder, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hubIdOfItem, hubNumber } from '../columns.ts';
import {
  type ItemContent,
  type ItemRecord,
  type ItemUpdate,
  type NewItem,
  NO_CONTENT,
  type ReactionRecord,
} from '../item-store.ts';
import { apiKeys } from '../schema/api-keys.table.ts';
import { reactions, touchedItems } from '../schema/item-details.table.ts';
import { items } from '../schema/items.table.ts';
import { users } from '../schema/users.table.ts';
import type { Db } from './engine/database.ts';
import { boundStatement, prepared } from './engine/statements.ts';

const author = alias(users, 'author');
const assignee = alias(users, 'assignee');
const finisher = alias(users, 'finisher');
const editor = alias(users, 'editor');

const {
  hubNumber: _hubNumber,
  address: _address,
  requestId: _requestId,
  removalId: _removalId,
  ...itemColumns
} = getTableColumns(items);

/** The number of newest replies that are searched for the latest repliers. */
const REPLIES_EXAMINED = 30;

const columns = {
  ...itemColumns,
  hubId: hubIdOfItem,
  authorName: sql<string>`coalesce(${author.name}, (select bot_name from workspace))`,
  keyName: apiKeys.name,
  assigneeName: assignee.name,
  finishedByName: finisher.name,
  editedByName: editor.name,
  /** JSON: `[[emoji, userId], …]`, oldest reaction first; empty for most items. */
  reactions: sql<string | null>`(select json_group_array(json_array(emoji, user_id)) from
    (select emoji, user_id from reactions where item_id = ${items.id} order by at, user_id))`,
  /** JSON: ids of the users who wrote the newest replies, most recent first; most messages have none. */
  repliers: sql<string | null>`case when ${items.lastReplyAt} is not null then (select json_group_array(author_id) from
    (select author_id from (select author_id, rank as place from ${items} as reply where reply.parent_id = ${items.id}
      and reply.deleted_at is null order by reply.rank desc limit ${sql.raw(String(REPLIES_EXAMINED))})
      group by author_id order by max(place) desc limit ${sql.raw(String(LIMITS.namedRepliers))})) end`,
  mentions: sql<
    string | null
  >`(select json_group_array(user_id) from mentions where item_id = ${items.id} and is_named)`,
};

/** Selects items with the names of the users involved. The caller adds conditions, order and limit. */
export function selectItems(db: Db) {
  return db
    .select(columns)
    .from(items)
    .leftJoin(author, eq(author.id, items.authorId))
    .leftJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .leftJoin(assignee, eq(assignee.id, items.assigneeId))
    .leftJoin(finisher, eq(finisher.id, items.finishedById))
    .leftJoin(editor, eq(editor.id, items.editedById));
}

type ItemRow = NonNullable<ReturnType<ReturnType<typeof selectItems>['get']>>;

export function toItemRecord({ reactions, mentions, repliers, ...row }: ItemRow): ItemRecord {
  return {
    ...row,
    reactions: groupReactions(reactions),
    mentions: mentions === null ? [] : JSON.parse(mentions),
    repliers: repliers === null ? [] : JSON.parse(repliers),
  };
}

function groupReactions(json: string | null): Reaction[] {
  if (json === null || json === '[]') return [];
  const byEmoji = new Map<string, string[]>();
  for (const [emoji, userId] of JSON.parse(json) as [string, string][]) {
    const userIds = byEmoji.get(emoji);
    if (userIds) userIds.push(userId);
    else byEmoji.set(emoji, [userId]);
  }
  return [...byEmoji].map(([emoji, userIds]) => ({ emoji, userIds }));
}

const hasId = eq(items.id, sql.placeholder('id'));

export function itemReads(db: Db) {
  const find = prepared(db, () => selectItems(db).where(hasId));
  const findOrigin = prepared(db, () =>
    db.select({ keyId: items.keyId, address: items.address, requestId: items.requestId }).from(items).where(hasId),
  );
  return {
    find: (id: string): ItemRecord | null => {
      const row = find.get({ id });
      return row ? toItemRecord(row) : null;
    },
    findOrigin: (id: string) => {
      const { keyId = null, address, requestId } = findOrigin.get({ id }) ?? {};
      return keyId === null ? null : { keyId, address: address ?? '', requestId: requestId ?? '' };
    },
  };
}

/** Lists the writers of a thread for `ItemRepository`. */
export function threadWriters(db: Db): (messageId: string, maxReplies: number) => string[] {
  const messageId = sql.placeholder('messageId');
  const author = prepared(db, () =>
    db
      .select({ id: items.authorId })
      .from(items)
      .where(and(eq(items.id, messageId), eq(items.authorKind, 'user'))),
  );
  const repliers = prepared(db, () =>
    db
      .select({ id: items.authorId, kind: items.authorKind })
      .from(items)
      .where(eq(items.parentId, messageId))
      .orderBy(desc(items.rank))
      .limit(sql.placeholder('limit')),
  );
  return (messageId, limit) => {
    const replies = repliers.all({ messageId, limit }).filter(({ kind }) => kind === 'user');
    return [...new Set([...author.all({ messageId }), ...replies].map(({ id }) => id))];
  };
}

/** Changes to these fields are in the search index. */
const INDEXED_FIELDS = ['title', 'body', 'blocks', 'status', 'deletedAt'] as const;

/** Each function runs inside a transaction. */
export function itemChanges(db: Db) {
  const insert = boundStatement(db, () =>
    db.insert(items).values({
      id: sql.placeholder('id'),
      hubNumber,
      kind: sql.placeholder('kind'),
      seq: sql.placeholder('seq'),
      createdAt: sql.placeholder('createdAt'),
      ...contentPlaceholders(),
      status: sql.placeholder('status'),
      authorKind: 'user',
      authorId: sql.placeholder('authorId'),
      assigneeId: sql.placeholder('assigneeId'),
      parentId: sql.placeholder('parentId'),
      sourceId: sql.placeholder('sourceId'),
    }),
  );
  const touch = prepared(db, () =>
    db.insert(touchedItems).values({ rank: sql.placeholder('rank'), at: sql.placeholder('at') }),
  );
  const countReplies = prepared(db, () =>
    db
      .update(items)
      .set({
        replyCount: sql`${items.replyCount} + ${sql.placeholder('added')}`,
        // Without an alias, the column would refer to the message itself.
        lastReplyAt: sql`(select reply.created_at from ${items} as reply where reply.parent_id = ${sql.placeholder('id')}
        and reply.deleted_at is null order by reply.rank desc limit 1)`,
      })
      .where(hasId),
  );
  const leaveRemoval = prepared(db, () =>
    db
      .update(items)
      .set({ removalId: null })
      .where(and(hasId, isNotNull(items.removalId)))
      .returning({ id: items.id }),
  );
  const insertReaction = prepared(db, () =>
    db.insert(reactions).values({
      itemId: sql.placeholder('itemId'),
      emoji: sql.placeholder('emoji'),
      userId: sql.placeholder('userId'),
      at: sql.placeholder('at'),
    }),
  );
  const deleteReaction = prepared(db, () =>
    db
      .delete(reactions)
      .where(
        and(
          eq(reactions.itemId, sql.placeholder('itemId')),
          eq(reactions.emoji, sql.placeholder('emoji')),
          eq(reactions.userId, sql.placeholder('userId')),
        ),
      ),
  );

  return {
    insert: (item: NewItem & { seq: number }): number => insert.insert({ ...item, status: firstStatus(item.kind) }),
    update: ({ id, rank }: Pick<ItemRecord, 'id' | 'rank'>, changes: ItemUpdate, at: number): void => {
      db.update(items).set(changes).where(eq(items.id, id)).run();
      if (INDEXED_FIELDS.some((name) => name in changes)) touch.run({ rank, at });
    },
    countReplies: (messageId: string, added: 1 | -1): void => void countReplies.run({ id: messageId, added }),
    leaveRemoval: (id: string): boolean => leaveRemoval.get({ id }) !== undefined,
    insertReaction: (reaction: ReactionRecord & { at: number }): void => void insertReaction.run({ ...reaction }),
    deleteReaction: (reaction: ReactionRecord): void => void deleteReaction.run({ ...reaction }),
  };
}

export function contentPlaceholders(): Record<keyof ItemContent, Placeholder> {
  return Object.fromEntries(Object.keys(NO_CONTENT).map((name) => [name, sql.placeholder(name)])) as Record<
    keyof ItemContent,
    Placeholder
  >;
}

export function firstStatus(kind: string): 'open' | null {
  return kind === 'todo' ? 'open' : null;
}
