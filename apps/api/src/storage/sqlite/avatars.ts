import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { AvatarListing, AvatarRecord, AvatarViewer } from '../avatar-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { avatars } from './tables/avatars.table.ts';

const listing = { ownerId: avatars.ownerId, version: avatars.version };

/** The bot's avatar is shown to every viewer. */
export function avatarReads(db: Db, botId: string) {
  const isSeen = sql`(${sql.placeholder('viewerId')} is null
    or ${avatars.ownerId} in (${sql.placeholder('viewerId')}, ${botId})
    or exists (select 1 from memberships mine
      join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
      join memberships theirs on theirs.hub_id = mine.hub_id and theirs.person_id = ${avatars.ownerId}
      where mine.person_id = ${sql.placeholder('viewerId')}))`;
  const find = prepared(db, () =>
    db
      .select({ ...listing, type: avatars.type, bytes: avatars.bytes })
      .from(avatars)
      .where(and(eq(avatars.ownerId, sql.placeholder('ownerId')), isSeen)),
  );
  const list = prepared(db, () =>
    db
      .select(listing)
      .from(avatars)
      .where(and(lt(avatars.ownerId, sql.placeholder('before')), isSeen))
      .orderBy(desc(avatars.ownerId))
      .limit(sql.placeholder('limit')),
  );
  return {
    find: (wanted: AvatarViewer & { ownerId: string }): AvatarRecord | null => find.get({ ...wanted }) ?? null,
    list: ({ limit, before = AFTER_ALL_IDS, viewerId }: PageRequest & AvatarViewer): AvatarListing[] =>
      list.all({ limit, before, viewerId }),
  };
}

/** Each function runs inside a transaction. */
export function avatarChanges(db: Db) {
  return {
    reads: {
      findVersion: (ownerId: string): string | null =>
        db.select(listing).from(avatars).where(eq(avatars.ownerId, ownerId)).get()?.version ?? null,
    },
    changes: {
      set: ({ ownerId, version, type, ...image }: AvatarRecord): void => {
        const bytes = Buffer.from(image.bytes);
        db.insert(avatars)
          .values({ ownerId, version, type, bytes })
          .onConflictDoUpdate({ target: avatars.ownerId, set: { version, type, bytes } })
          .run();
      },
      delete: (ownerId: string): void => {
        db.delete(avatars).where(eq(avatars.ownerId, ownerId)).run();
      },
    },
  };
}
