import type { AvatarType } from '@hub/contract';
import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, query } from './engine/query.ts';
import { avatars } from './schema/avatars.table.ts';

/** The owner of an avatar, and its version. */
export interface AvatarListing {
  /** A user or the bot. */
  ownerId: string;
  version: string;
}

export interface AvatarRecord extends AvatarListing {
  type: AvatarType;
  bytes: Uint8Array;
}

/**
 * The viewer. Users see their own avatar, those of users with whom they share a live Hub, and the bot's. `null`: no
 * restriction.
 */
interface AvatarViewer {
  viewerId: string | null;
}

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

export function avatarReads(on: Connection) {
  return {
    /** Returns `null` if there is no such avatar, or this viewer may not see it. */
    find: async (wanted: AvatarViewer & { ownerId: string }): Promise<AvatarRecord | null> =>
      (await on.first(find, { ...wanted })) ?? null,
    /** Sorted by owner, newest first. */
    list: async ({ before = AFTER_ALL_IDS, ...page }: PageRequest & AvatarViewer): Promise<AvatarListing[]> =>
      on.all(list, { before, ...page }),
  };
}

export function avatarChanges(on: Connection) {
  return {
    findVersion: async (ownerId: string): Promise<string | null> =>
      (await on.lock(findVersion, { ownerId }))?.version ?? null,
    /** Replaces any avatar of this owner. */
    set: async ({ bytes, ...avatar }: AvatarRecord): Promise<void> => {
      await on.run(set, { ...avatar, bytes: Buffer.from(bytes) });
    },
    delete: async (ownerId: string): Promise<void> => {
      await on.run(remove, { ownerId });
    },
  };
}
