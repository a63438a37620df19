import { and, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { links } from '../schema/users.table.ts';
import type { LinkFilter, LinkRecord } from '../users-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

export function linkReads(db: Db) {
  const findLink = prepared(db, () =>
    db
      .select()
      .from(links)
      .where(eq(links.tokenHash, sql.placeholder('tokenHash'))),
  );
  const listInvitations = prepared(db, () =>
    db
      .select()
      .from(links)
      .where(
        and(
          eq(links.kind, 'invitation'),
          lt(links.id, sql.placeholder('before')),
          gt(links.expiresAt, sql.placeholder('now')),
        ),
      )
      .orderBy(desc(links.id))
      .limit(sql.placeholder('limit')),
  );

  return {
    findLink: (tokenHash: Uint8Array): LinkRecord | null => toRecord(findLink.get({ tokenHash })),
    listInvitations: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { now: number }): LinkRecord[] =>
      listInvitations.all({ ...page, before }).map((row) => toRecord(row)),
  };
}

/** Each function runs inside a transaction. */
export function linkChanges(db: Db) {
  /** All kinds but setup links, which never expire and are not made by users. The index is by kind. */
  const isPersonal = inArray(links.kind, ['invitation', 'password_reset']);
  const deleteMatching = ({ kind, email = null, userId = null }: LinkFilter): void => {
    const conditions = [
      eq(links.kind, kind),
      email === null ? undefined : eq(links.email, email),
      userId === null ? undefined : eq(links.userId, userId),
    ];
    db.delete(links)
      .where(and(...conditions))
      .run();
  };
  return {
    reads: {
      find: (linkId: string): LinkRecord | null => toRecord(db.select().from(links).where(eq(links.id, linkId)).get()),
    },
    changes: {
      replace: ({ createdBy, hubIds, ...row }: LinkRecord, tokenHash: Uint8Array): void => {
        deleteMatching(row);
        db.insert(links)
          .values({
            ...row,
            tokenHash: Buffer.from(tokenHash),
            hubIds: JSON.stringify(hubIds),
            createdByKind: createdBy.kind,
            createdById: createdBy.id,
            createdByName: createdBy.name,
          })
          .run();
      },
      delete: (linkId: string): void => {
        db.delete(links).where(eq(links.id, linkId)).run();
      },
      deleteMatching,
      deleteCreatedBy: (userId: string): void => {
        db.delete(links)
          .where(and(isPersonal, eq(links.createdById, userId)))
          .run();
      },
      deleteExpired: (now: number): void => {
        db.delete(links)
          .where(and(isPersonal, lte(links.expiresAt, now)))
          .run();
      },
    },
  };
}

type LinkRow = typeof links.$inferSelect;

function toRecord(row: LinkRow): LinkRecord;
function toRecord(row: LinkRow | undefined): LinkRecord | null;
function toRecord(row: LinkRow | undefined): LinkRecord | null {
  if (!row) return null;
  const { tokenHash: _hash, hubIds, createdByKind, createdById, createdByName, ...rest } = row;
  return {
    ...rest,
    hubIds: JSON.parse(hubIds) as string[],
    createdBy: { kind: createdByKind, id: createdById, name: createdByName },
  };
}
