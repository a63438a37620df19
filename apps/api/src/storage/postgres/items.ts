import { LIMITS, type Reaction } from '@hub/contract';
import { and, desc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm';
import { alias, type SelectedFields } from 'drizzle-orm/pg-core';
import type { ItemRecord, ItemUpdate, NewItem, ReactionRecord } from '../item-store.ts';
import type { Connection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { hubIdOfItem, hubNumber } from './hubs.ts';
import { indexedTerms, saveTerms } from './search.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { reactions } from './tables/item-details.table.ts';
import { items } from './tables/items.table.ts';
import { users } from './tables/users.table.ts';

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
  /** `[[emoji, userId], …]`, oldest reaction first; `null` for most items. */
  reactions: sql<[string, string][] | null>`(select json_agg(json_build_array(emoji, user_id) order by at, user_id)
    from reactions where item_id = ${items.id})`,
  /** Ids of the users who wrote the newest replies, most recent first; most messages have none. */
  repliers: sql<string[] | null>`case when ${items.lastReplyAt} is not null then
    (select json_agg(author_id order by place desc) from
      (select author_id, max(place) as place from
        (select author_id, rank as place from items as reply where reply.parent_id = ${items.id}
          and reply.deleted_at is null order by reply.rank desc limit ${sql.raw(String(REPLIES_EXAMINED))}) as newest
        group by author_id order by max(place) desc limit ${sql.raw(String(LIMITS.namedRepliers))}) as named) end`,
  mentions: sql<string[] | null>`(select json_agg(user_id order by user_id) from mentions
    where item_id = ${items.id} and is_named)`,
};

/** Selects items with the names of the users involved, and `more`. The caller adds conditions, order and limit. */
export function selectItems<More extends SelectedFields = Record<never, never>>(more?: More) {
  return build
    .select({ ...columns, ...(more as More) })
    .from(items)
    .leftJoin(author, eq(author.id, items.authorId))
    .leftJoin(apiKeys, eq(apiKeys.id, items.keyId))
    .leftJoin(assignee, eq(assignee.id, items.assigneeId))
    .leftJoin(finisher, eq(finisher.id, items.finishedById))
    .leftJoin(editor, eq(editor.id, items.editedById));
}

type ItemRow = Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number];

export function toItemRecord({ reactions, mentions, repliers, ...row }: ItemRow): ItemRecord {
  return {
    ...row,
    reactions: groupReactions(reactions ?? []),
    mentions: mentions ?? [],
    repliers: repliers ?? [],
  };
}

function groupReactions(given: readonly [string, string][]): Reaction[] {
  const byEmoji = new Map<string, string[]>();
  for (const [emoji, userId] of given) {
    const userIds = byEmoji.get(emoji);
    if (userIds) userIds.push(userId);
    else byEmoji.set(emoji, [userId]);
  }
  return [...byEmoji].map(([emoji, userIds]) => ({ emoji, userIds }));
}

const hasId = eq(items.id, sql.placeholder('id'));
const findById = statement(selectItems().where(hasId));
/**
 * Locks an item that is about to change, and first its Hub, whose row gets the number of the next event. Everything that
 * locks both does so in this order; otherwise, a reply and the deletion of another one would wait for each other.
 */
const lock = rawStatement(
  sql`select items.id from hubs join items on items.hub_number = hubs.number
    where items.id = ${sql.placeholder('id')} for no key update of hubs, items`,
  ([id]: [string]) => id,
);
const findOrigin = statement(
  build.select({ keyId: items.keyId, address: items.address, requestId: items.requestId }).from(items).where(hasId),
);

export function itemReads(on: Connection) {
  return {
    find: async (id: string): Promise<ItemRecord | null> => {
      const row = await on.first(findById, { id });
      return row ? toItemRecord(row) : null;
    },
    findOrigin: async (id: string) => {
      const { keyId = null, address, requestId } = (await on.first(findOrigin, { id })) ?? {};
      return keyId === null ? null : { keyId, address: address ?? '', requestId: requestId ?? '' };
    },
  };
}

const authorOf = statement(
  build
    .select({ id: items.authorId })
    .from(items)
    .where(and(hasId, eq(items.authorKind, 'user'))),
);
const writersOfReplies = statement(
  build
    .select({ id: items.authorId, kind: items.authorKind })
    .from(items)
    .where(eq(items.parentId, sql.placeholder('id')))
    .orderBy(desc(items.rank))
    .limit(sql.placeholder('limit')),
);

const content = sql`${sql.placeholder('title')}::text, ${sql.placeholder('body')}::text,
  ${sql.placeholder('blocks')}::text, ${sql.placeholder('dueAt')}::bigint, ${sql.placeholder('priority')}::text,
  ${sql.placeholder('status')}::text`;
const shared = sql`${sql.placeholder('id')}::text, ${hubNumber}, ${sql.placeholder('kind')}::text,
  ${sql.placeholder('seq')}::bigint, ${sql.placeholder('createdAt')}::bigint`;
const toRank = ([rank]: [string]): number => Number(rank);

const insert = rawStatement(
  sql`with item as (
      insert into items (id, hub_number, kind, seq, created_at, title, body, blocks, due_at, priority, status,
          author_kind, author_id, assignee_id, parent_id, source_id)
        values (${shared}, ${content}, 'user', ${sql.placeholder('authorId')}::text,
          ${sql.placeholder('assigneeId')}::text, ${sql.placeholder('parentId')}::text,
          ${sql.placeholder('sourceId')}::text)
        returning rank),
    words as (${saveTerms(sql`item.rank`)} from item)
    select rank from item`,
  toRank,
);
const updateTerms = rawStatement(
  sql`${saveTerms(sql`${sql.placeholder('rank')}::bigint`)}
    on conflict (rank) do update set words = excluded.words, phrases = excluded.phrases`,
  () => undefined,
);
/** The time of the newest reply to an item that is not deleted. */
export const newestReplyAt = sql`(select reply.created_at from items as reply
  where reply.parent_id = ${sql.placeholder('id')} and reply.deleted_at is null order by reply.rank desc limit 1)`;
const countReplies = statement(
  build
    .update(items)
    .set({ replyCount: sql`${items.replyCount} + ${sql.placeholder('added')}`, lastReplyAt: newestReplyAt })
    .where(hasId),
);
const leaveRemoval = statement(
  build
    .update(items)
    .set({ removalId: null })
    .where(and(hasId, isNotNull(items.removalId)))
    .returning({ id: items.id }),
);
const insertReaction = statement(
  build.insert(reactions).values({
    itemId: sql.placeholder('itemId'),
    emoji: sql.placeholder('emoji'),
    userId: sql.placeholder('userId'),
    at: sql.placeholder('at'),
  }),
);
const deleteReaction = statement(
  build
    .delete(reactions)
    .where(
      and(
        eq(reactions.itemId, sql.placeholder('itemId')),
        eq(reactions.emoji, sql.placeholder('emoji')),
        eq(reactions.userId, sql.placeholder('userId')),
      ),
    ),
);

/** Changes to these fields are found by searches. */
const INDEXED_FIELDS = ['title', 'body', 'blocks'] as const;

/** An item that a transaction reads stays as it is until it ends. */
export function itemChanges(on: Connection) {
  const find = async (id: string): Promise<ItemRecord | null> => {
    // A single statement that waits for the lock would return the new row with the old names, reactions and mentions.
    // Both are sent at once.
    const [, item] = await Promise.all([on.first(lock, { id }), itemReads(on).find(id)]);
    return item;
  };
  return {
    find,
    listThreadWriters: async (id: string, limit: number): Promise<string[]> => {
      const replies = (await on.all(writersOfReplies, { id, limit })).filter(({ kind }) => kind === 'user');
      return [...new Set([...(await on.all(authorOf, { id })), ...replies].map((writer) => writer.id))];
    },
    insert: async (item: NewItem & { seq: number }): Promise<number> => {
      const values = { ...item, ...indexedTerms(item), status: firstStatus(item.kind) };
      return (await on.first(insert, values)) ?? 0;
    },
    update: async ({ id }: Pick<ItemRecord, 'id' | 'rank'>, changes: ItemUpdate): Promise<void> => {
      await on.run(statement(build.update(items).set(changes).where(eq(items.id, id))));
      if (!INDEXED_FIELDS.some((name) => name in changes)) return;
      const changed = await find(id);
      if (changed) await on.run(updateTerms, { rank: changed.rank, ...indexedTerms(changed) });
    },
    countReplies: async (id: string, added: 1 | -1): Promise<void> => {
      await on.run(countReplies, { id, added });
    },
    leaveRemoval: async (id: string): Promise<boolean> => (await on.first(leaveRemoval, { id })) !== undefined,
    insertReaction: async (reaction: ReactionRecord & { at: number }): Promise<void> => {
      await on.run(insertReaction, { ...reaction });
    },
    deleteReaction: async (reaction: ReactionRecord): Promise<void> => {
      await on.run(deleteReaction, { ...reaction });
    },
  };
}

export function firstStatus(kind: string): 'open' | null {
  return kind === 'todo' ? 'open' : null;
}
