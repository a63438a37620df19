import type { LinkKind } from '@hub/contract';
import { and, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { notFound } from '../../printable.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { PageRequest } from '../records.ts';
import type { LinkRecord } from '../users-store.ts';
import type { AuditWrites } from './audit.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { links } from './tables/users.table.ts';
import { accountExists, rejectFormerAdmin, rejectTouchingOwner, userReads } from './users-reads.queries.ts';

export function linkReads(db: Db) {
  const find = db
    .select()
    .from(links)
    .where(eq(links.tokenHash, sql.placeholder('tokenHash')))
    .prepare();
  const listInvitations = db
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
    .limit(sql.placeholder('limit'))
    .prepare();

  return {
    find: (tokenHash: Uint8Array): LinkRecord | null => {
      const row = find.get({ tokenHash });
      return row ? toRecord(row) : null;
    },
    listInvitations: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { now: number }): LinkRecord[] =>
      listInvitations.all({ ...page, before }).map(toRecord),
  };
}

export interface NewLink {
  link: LinkRecord;
  tokenHash: Uint8Array;
  mayTouchOwners: boolean;
  audit: AuditRecord;
}

export type LinkWrites = ReturnType<typeof linkWrites>;

/** Each function runs inside a writer transaction. */
export function linkWrites(db: Db, { audit }: { audit: AuditWrites }) {
  const users = userReads(db);
  /** A setup link, the third kind, does not belong to a user: it is valid until there is an owner. */
  const isPersonal = inArray(links.kind, ['invitation', 'password_reset']);
  const ofKind = (kind: LinkKind) => eq(links.kind, kind);

  const endSetupLinks = (): void => {
    db.delete(links).where(ofKind('setup')).run();
  };
  const endInvitations = (email: string): void => {
    db.delete(links)
      .where(and(ofKind('invitation'), eq(links.email, email)))
      .run();
  };
  const endResetLinks = (personId: string): void => {
    db.delete(links)
      .where(and(ofKind('password_reset'), eq(links.personId, personId)))
      .run();
  };
  /** Rejects a link that could not be used, and ends the links that a new one replaces. */
  const replaceFormer: Readonly<Record<LinkKind, (input: NewLink) => void>> = {
    setup: () => {
      if (users.hasOwner()) throw new AppError('conflict', 'The workspace is already set up.');
      endSetupLinks();
    },
    invitation: ({ link: { email } }) => {
      if (email === null) throw new Error('An invitation needs an e-mail address');
      const known = users.findByEmail(email);
      if (known) throw accountExists(known);
      endInvitations(email);
    },
    password_reset: ({ link: { personId }, mayTouchOwners }) => {
      const user = personId === null ? null : users.find(personId);
      if (!user) throw new AppError('not_found', notFound('person', personId));
      if (!mayTouchOwners) rejectTouchingOwner(user);
      if (user.disabledAt !== null) {
        throw new AppError('conflict', `The account of ${user.name} is disabled. Enable it first.`);
      }
      endResetLinks(user.id);
    },
  };

  return {
    endSetupLinks,
    endInvitations,
    endResetLinks,
    /** Ends the invitations and reset links created by a user, who may still have them. */
    endCreatedBy: (personId: string): void => {
      db.delete(links)
        .where(and(isPersonal, eq(links.createdById, personId)))
        .run();
    },
    create: (input: NewLink): void => {
      replaceFormer[input.link.kind](input);
      const { role, personId } = input.link;
      const touched = personId === null ? null : users.find(personId);
      rejectFormerAdmin(users, input.link.createdBy, [role, touched?.role ?? null]);
      const { createdBy, hubIds, ...row } = input.link;
      db.insert(links)
        .values({
          ...row,
          tokenHash: Buffer.from(input.tokenHash),
          hubIds: JSON.stringify(hubIds),
          createdByKind: createdBy.kind,
          createdById: createdBy.id,
          createdByName: createdBy.name,
        })
        .run();
      audit.insert(input.audit);
    },
    /** Deletes the link and returns it; throws `not_found` if there is none. */
    useUp: (tokenHash: Uint8Array): LinkRecord => {
      const used = db
        .delete(links)
        .where(eq(links.tokenHash, Buffer.from(tokenHash)))
        .returning()
        .get();
      if (!used) throw new AppError('not_found', 'This link was just used. Each link works only once.');
      return toRecord(used);
    },
    withdrawInvitation: (input: { linkId: string; now: number; audit: AuditRecord }): LinkRecord | null => {
      const withdrawn = db
        .delete(links)
        .where(and(eq(links.id, input.linkId), ofKind('invitation'), gt(links.expiresAt, input.now)))
        .returning()
        .get();
      if (!withdrawn) return null;
      audit.insert(input.audit);
      return toRecord(withdrawn);
    },
    prune: (now: number): void => {
      db.delete(links)
        .where(and(isPersonal, lte(links.expiresAt, now)))
        .run();
    },
  };
}

const toRecord = ({
  tokenHash: _hash,
  hubIds,
  createdByKind,
  createdById,
  createdByName,
  ...row
}: typeof links.$inferSelect): LinkRecord => ({
  ...row,
  hubIds: JSON.parse(hubIds) as string[],
  createdBy: { kind: createdByKind, id: createdById, name: createdByName },
});
