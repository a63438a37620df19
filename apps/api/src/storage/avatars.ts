import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { AvatarReads, AvatarRepository } from './avatar-store.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, query } from './engine/query.ts';
import { avatars } from './schema/avatars.table.ts';

const listing = { ownerId: avatars.ownerId, version: avatars.version };
const viewerId = sql`cast(${sql.placeholder('viewerId')} as text)`;
/** The bot's avatar is shown to every viewer. */
const isVisible = sql`(${viewerId} is null
  or ${avatars.ownerId} = ${viewerId} or ${avatars.ownerId} = (select bot_id from workspace)
  or exists (select 1 from memberships mine
    join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
    join memberships theirs on theirs.hub_id = mine.hub_id and theirs.user_id = ${avatars.ownerId}
    where mine.user_id = ${viewerId}))`;
const isOfOwner = eq(avatars.ownerId, sql.placeholder('ownerId'));
const find = query(() =>
  build
    .select({ ...listing, type: avatars.type, bytes: avatars.bytes })
    .from(avatars)
    .where(and(isOfOwner, isVisible)),
);
const list = query(() =>
  build
    .select(listing)
    .from(avatars)
    .where(and(lt(avatars.ownerId, sql.placeholder('before')), isVisible))
    .orderBy(desc(avatars.ownerId))
    .limit(sql.placeholder('limit')),
);
const findVersion = query(() => build.select(listing).from(avatars).where(isOfOwner));
const replaced = ['version', 'type', 'bytes'] as const;
const set = insertInto(avatars, ['ownerId', ...replaced], { key: ['ownerId'], replace: replaced });
const remove = query(() => build.delete(avatars).where(isOfOwner));

export function avatarReads(on: Connection): AvatarReads {
  return {
    find: async (wanted) => (await on.first(find, { ...wanted })) ?? null,
    list: async ({ limit, before = AFTER_ALL_IDS, viewerId }) => on.all(list, { limit, before, viewerId }),
  };
}

export function avatarChanges(on: Connection): AvatarRepository {
  return {
    findVersion: async (ownerId) => (await on.lock(findVersion, { ownerId }))?.version ?? null,
    set: async ({ bytes, ...avatar }) => {
      await on.run(set, { ...avatar, bytes: Buffer.from(bytes) });
    },
    delete: async (ownerId) => {
      await on.run(remove, { ownerId });
    },
  };
}
