import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PageRequest } from '../platform/paging.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { fromNewest, given, page, select } from './engine/query.ts';
import { deleteFrom, insertInto } from './engine/write.ts';
import { bytes } from './schema/column-types.ts';

/** A table of its own, so that the user data read for every request stays small. */
export const avatars = sqliteTable('avatars', {
  /** The id of a user or of the bot. Not a foreign key, because the bot is not a user. */
  ownerId: text().primaryKey(),
  version: text().notNull(),
  type: text({ enum: ['image/png', 'image/jpeg', 'image/webp'] }).notNull(),
  bytes: bytes().notNull(),
});

/** Users see their own avatar, those of users with whom they share a live Hub, and the bot's. `null`: all. */
interface AvatarViewer {
  viewerId: string | null;
}

const { ownerId, version } = avatars;
const viewerId = sql`cast(${given('viewerId')} as text)`;
const isVisible = sql`(${viewerId} is null
  or ${avatars.ownerId} = ${viewerId} or ${avatars.ownerId} = (select bot_id from workspace)
  or exists (select 1 from memberships mine
    join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
    join memberships theirs on theirs.hub_id = mine.hub_id and theirs.user_id = ${avatars.ownerId}
    where mine.user_id = ${viewerId}))`;
const isOfOwner = eq(ownerId, given('ownerId'));
const find = select(getTableColumns(avatars), avatars, and(isOfOwner, isVisible));
const list = page({ ownerId, version }, ownerId, isVisible);
const findVersion = select({ version }, avatars, isOfOwner);
const set = insertInto(avatars, { key: ['ownerId'], replace: ['version', 'type', 'bytes'] });
const remove = deleteFrom(avatars, isOfOwner);

export type AvatarRecord = RowOf<typeof find>;

export function avatarReads(on: Connection) {
  return {
    /** Returns `null` if there is no such avatar, or this viewer may not see it. */
    find: async (wanted: AvatarViewer & { ownerId: string }) => (await on.first(find, wanted)) ?? null,
    list: async (page: PageRequest & AvatarViewer) => on.all(list, fromNewest(page)),
  };
}

export function avatarChanges(on: Connection) {
  return {
    findVersion: async (ownerId: string) => (await on.lock(findVersion, { ownerId }))?.version ?? null,
    set: async (avatar: AvatarRecord) => on.run(set, avatar),
    delete: async (ownerId: string) => on.run(remove, { ownerId }),
  };
}
