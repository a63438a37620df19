import { LIMITS, type Reaction } from '@hub/contract';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { ItemRecord } from '../item-store.ts';
import type { Db } from './engine/database.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { items } from './tables/items.table.ts';
import { users } from './tables/users.table.ts';

const author = alias(users, 'author');
const assignee = alias(users, 'assignee');
const finisher = alias(users, 'finisher');
const editor = alias(users, 'editor');

const { address: _address, requestId: _requestId, removalId: _removalId, ...itemColumns } = getTableColumns(items);

/** The number of newest replies that are searched for the latest repliers. */
const REPLIES_EXAMINED = 30;

const columns = {
  ...itemColumns,
  authorName: sql<string>`coalesce(${author.name}, (select bot_name from workspace))`,
  keyName: apiKeys.name,
  assigneeName: assignee.name,
  finishedByName: finisher.name,
  editedByName: editor.name,
  /** JSON: `[[emoji, personId], …]`, oldest reaction first; empty for most items. */
  reactions: sql<string | null>`(select json_group_array(json_array(emoji, person_id)) from
    (select emoji, person_id from reactions where item_id = ${items.id} order by at, person_id))`,
  /** JSON: ids of the users who wrote the newest replies, most recent first; most messages have none. */
  repliers: sql<string | null>`case when ${items.lastReplyAt} is not null then (select json_group_array(author_id) from
    (select author_id from (select author_id, rank as place from ${items} as reply where reply.parent_id = ${items.id}
      and reply.deleted_at is null order by reply.rank desc limit ${sql.raw(String(REPLIES_EXAMINED))})
      group by author_id order by max(place) desc limit ${sql.raw(String(LIMITS.namedRepliers))})) end`,
  mentions: sql<
    string | null
  >`(select json_group_array(person_id) from mentions where item_id = ${items.id} and is_named)`,
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

export type ItemRow = NonNullable<ReturnType<ReturnType<typeof selectItems>['get']>>;

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
  for (const [emoji, personId] of JSON.parse(json) as [string, string][]) {
    const personIds = byEmoji.get(emoji);
    if (personIds) personIds.push(personId);
    else byEmoji.set(emoji, [personId]);
  }
  return [...byEmoji].map(([emoji, personIds]) => ({ emoji, personIds }));
}
