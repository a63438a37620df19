import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { AvatarListing, AvatarRecord, AvatarStore, AvatarViewer } from '../avatar-store.ts';
import type { PageRequest } from '../records.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.queries.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { reading } from './engine/storage-error.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import { avatars } from './tables/avatars.table.ts';
import { rejectFormerAdmin, userReads } from './users-reads.queries.ts';
import type { Writer } from './writes.ts';

interface AvatarWriteDeps {
  audit: AuditWrites;
  access: AccessChecks;
  memberChanges: MemberChanges;
  botId: string;
}

type WriteInput<Name extends 'set' | 'remove'> = Parameters<AvatarStore[Name]>[0];

const listing = { ownerId: avatars.ownerId, version: avatars.version };

/** Each function runs inside a writer transaction. */
export function avatarWrites(db: Db, { audit, access, memberChanges, botId }: AvatarWriteDeps) {
  const users = userReads(db);
  const check = ({ actingUser, audit: { actor } }: WriteInput<'set'> | WriteInput<'remove'>, ownerId: string): void => {
    access.requireSignedIn(actingUser);
    if (ownerId === botId) rejectFormerAdmin(users, actor, []);
  };
  const findVersion = (ownerId: string): AvatarListing | undefined =>
    db.select(listing).from(avatars).where(eq(avatars.ownerId, ownerId)).get();

  return {
    setAvatar: (input: WriteInput<'set'>): void => {
      const { ownerId, version, type } = input.avatar;
      check(input, ownerId);
      if (findVersion(ownerId)?.version === version) return;
      const bytes = Buffer.from(input.avatar.bytes);
      db.insert(avatars)
        .values({ ownerId, version, type, bytes })
        .onConflictDoUpdate({ target: avatars.ownerId, set: { version, type, bytes } })
        .run();
      audit.insert(input.audit);
      memberChanges.report(ownerId, input.audit.at);
    },
    removeAvatar: (input: WriteInput<'remove'>): AvatarListing | null => {
      const { ownerId } = input;
      check(input, ownerId);
      const removed = db.delete(avatars).where(eq(avatars.ownerId, ownerId)).returning(listing).get();
      if (!removed) return null;
      audit.insert(input.audit);
      memberChanges.report(ownerId, input.audit.at);
      return removed;
    },
  };
}

export function avatarStore(db: Db, writer: Writer, { botId }: { botId: string }): AvatarStore {
  const isSeen = sql`(${sql.placeholder('viewerId')} is null
    or ${avatars.ownerId} in (${sql.placeholder('viewerId')}, ${botId})
    or exists (select 1 from memberships mine
      join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
      join memberships theirs on theirs.hub_id = mine.hub_id and theirs.person_id = ${avatars.ownerId}
      where mine.person_id = ${sql.placeholder('viewerId')}))`;
  const find = db
    .select({ ...listing, type: avatars.type, bytes: avatars.bytes })
    .from(avatars)
    .where(and(eq(avatars.ownerId, sql.placeholder('ownerId')), isSeen))
    .prepare();
  const list = db
    .select(listing)
    .from(avatars)
    .where(and(lt(avatars.ownerId, sql.placeholder('before')), isSeen))
    .orderBy(desc(avatars.ownerId))
    .limit(sql.placeholder('limit'))
    .prepare();
  return {
    set: (change) => writer.write('setAvatar', change),
    remove: (change) => writer.write('removeAvatar', change),
    find: reading((wanted: AvatarViewer & { ownerId: string }): AvatarRecord | null => find.get({ ...wanted }) ?? null),
    list: reading(({ limit, before = AFTER_ALL_IDS, viewerId }: PageRequest & AvatarViewer) =>
      list.all({ limit, before, viewerId }),
    ),
  };
}
