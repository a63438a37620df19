import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { PictureListing, PictureRecord, PictureStore, PictureViewer } from '../picture-store.ts';
import type { PageRequest } from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import type { MemberChanges } from './member-changes.queries.ts';
import { personReads, refuseFormerAdmin } from './people-reads.queries.ts';
import type { StandingReads } from './standing.queries.ts';
import { reading } from './storage-fault.ts';
import { pictures } from './tables/pictures.table.ts';
import type { Writer } from './writer.ts';

interface PictureWriteDeps {
  audit: AuditWrites;
  standing: StandingReads;
  memberChanges: MemberChanges;
  botId: string;
}

type WriteInput<Name extends 'set' | 'remove'> = Parameters<PictureStore[Name]>[0];

const listing = { ownerId: pictures.ownerId, version: pictures.version };

/** Each function runs inside a transaction of the writer. */
export function pictureWrites(db: Db, { audit, standing, memberChanges, botId }: PictureWriteDeps) {
  const people = personReads(db);
  const judge = ({ by, audit: { actor } }: WriteInput<'set'> | WriteInput<'remove'>, ownerId: string): void => {
    standing.requireSignedIn(by);
    if (ownerId === botId) refuseFormerAdmin(people, actor, []);
  };
  const findVersion = (ownerId: string): PictureListing | undefined =>
    db.select(listing).from(pictures).where(eq(pictures.ownerId, ownerId)).get();

  return {
    setPicture: (input: WriteInput<'set'>): void => {
      const { ownerId, version, type } = input.picture;
      judge(input, ownerId);
      if (findVersion(ownerId)?.version === version) return;
      const bytes = Buffer.from(input.picture.bytes);
      db.insert(pictures)
        .values({ ownerId, version, type, bytes })
        .onConflictDoUpdate({ target: pictures.ownerId, set: { version, type, bytes } })
        .run();
      audit.insert(input.audit);
      memberChanges.tell(ownerId, input.audit.at);
    },
    removePicture: (input: WriteInput<'remove'>): PictureListing | null => {
      const { ownerId } = input;
      judge(input, ownerId);
      const removed = db.delete(pictures).where(eq(pictures.ownerId, ownerId)).returning(listing).get();
      if (!removed) return null;
      audit.insert(input.audit);
      memberChanges.tell(ownerId, input.audit.at);
      return removed;
    },
  };
}

export function pictureStore(db: Db, writer: Writer, { botId }: { botId: string }): PictureStore {
  const isSeen = sql`(${sql.placeholder('viewerId')} is null
    or ${pictures.ownerId} in (${sql.placeholder('viewerId')}, ${botId})
    or exists (select 1 from memberships mine
      join hubs on hubs.id = mine.hub_id and hubs.deleted_at is null
      join memberships theirs on theirs.hub_id = mine.hub_id and theirs.person_id = ${pictures.ownerId}
      where mine.person_id = ${sql.placeholder('viewerId')}))`;
  const find = db
    .select({ ...listing, type: pictures.type, bytes: pictures.bytes })
    .from(pictures)
    .where(and(eq(pictures.ownerId, sql.placeholder('ownerId')), isSeen))
    .prepare();
  const list = db
    .select(listing)
    .from(pictures)
    .where(and(lt(pictures.ownerId, sql.placeholder('before')), isSeen))
    .orderBy(desc(pictures.ownerId))
    .limit(sql.placeholder('limit'))
    .prepare();
  return {
    set: (change) => writer.write('setPicture', change),
    remove: (change) => writer.write('removePicture', change),
    find: reading(
      (wanted: PictureViewer & { ownerId: string }): PictureRecord | null => find.get({ ...wanted }) ?? null,
    ),
    list: reading(({ limit, before = AFTER_ALL_IDS, viewerId }: PageRequest & PictureViewer) =>
      list.all({ limit, before, viewerId }),
    ),
  };
}
