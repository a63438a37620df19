import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { AvatarListing, AvatarRecord, AvatarViewer } from '../avatar-store.ts';
import { AFTER_ALL_IDS, build, type Connection, statement } from './engine/database.ts';
import { avatars } from './tables/avatars.table.ts';

const listing = { ownerId: avatars.ownerId, version: avatars.version };
const viewerId = sql`${sql.placeholder('viewerId')}::text`;

/** The bot's avatar is shown to every viewer. */
const isSeen = sql`(${viewerId} is null
  or ${avatars.ownerId} = ${viewerId} or ${avatars.ownerId} = (select bot_id from workspace)
  or exists (select 1 from memberships mine
    join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
    join memberships theirs on theirs.hub_id = mine.hub_id and theirs.person_id = ${avatars.ownerId}
    where mine.person_id = ${viewerId}))`;
const find = statement(
  build
    .select({ ...listing, type: avatars.type, bytes: avatars.bytes })
    .from(avatars)
    .where(and(eq(avatars.ownerId, sql.placeholder('ownerId')), isSeen)),
);
const list = statement(
  build
    .select(listing)
    .from(avatars)
    .where(and(lt(avatars.ownerId, sql.placeholder('before')), isSeen))
    .orderBy(desc(avatars.ownerId))
    .limit(sql.placeholder('limit')),
);
const findVersion = statement(
  build
    .select(listing)
    .from(avatars)
    .where(eq(avatars.ownerId, sql.placeholder('ownerId')))
    .for('update'),
);

export function avatarReads(on: Connection) {
  return {
    find: async (wanted: AvatarViewer & { ownerId: string }): Promise<AvatarRecord | null> =>
      (await on.first(find, { ...wanted })) ?? null,
    list: ({ limit, before = AFTER_ALL_IDS, viewerId }: PageRequest & AvatarViewer): Promise<AvatarListing[]> =>
      on.all(list, { limit, before, viewerId }),
  };
}

export function avatarChanges(on: Connection) {
  return {
    findVersion: async (ownerId: string): Promise<string | null> =>
      (await on.first(findVersion, { ownerId }))?.version ?? null,
    set: async ({ ownerId, version, type, ...image }: AvatarRecord): Promise<void> => {
      const bytes = Buffer.from(image.bytes);
      const insert = build.insert(avatars).values({ ownerId, version, type, bytes });
      const set = { version, type, bytes };
      await on.run(statement(insert.onConflictDoUpdate({ target: avatars.ownerId, set })));
    },
    delete: async (ownerId: string): Promise<void> => {
      await on.run(statement(build.delete(avatars).where(eq(avatars.ownerId, ownerId))));
    },
  };
}
