import type { Actor, LinkKind, Role } from '@hub/contract';
import { and, desc, eq, gt, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, matchesIfGiven, query } from './engine/query.ts';
import { links } from './schema/users.table.ts';

/** A setup, invitation or password-reset link that can still be used. */
export interface LinkRecord {
  id: string;
  kind: LinkKind;
  /** Set for an invitation. */
  email: string | null;
  role: Role | null;
  hubIds: string[];
  /** Set for a password reset. */
  userId: string | null;
  createdAt: number;
  createdBy: Actor;
  expiresAt: number | null;
}

/** Links of one kind: all, or those for this address or user. */
export type LinkFilter = Pick<LinkRecord, 'kind'> & Partial<Pick<LinkRecord, 'email' | 'userId'>>;

const isOfId = eq(links.id, sql.placeholder('id'));
const isOfHash = eq(links.tokenHash, sql.placeholder('tokenHash'));
const findById = query(() => build.select().from(links).where(isOfId));
const findByHash = query(() => build.select().from(links).where(isOfHash));
const listInvitations = query(() =>
  build
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

export function linkReads(on: Connection) {
  return {
    /** A link is used once: a transaction that uses it at the same time waits, and then does not find it. */
    findLink: async (tokenHash: Uint8Array): Promise<LinkRecord | null> =>
      recordOrNull(await on.lock(findByHash, { tokenHash: Buffer.from(tokenHash) })),
    listInvitations: async ({
      before = AFTER_ALL_IDS,
      ...page
    }: PageRequest & { now: number }): Promise<LinkRecord[]> =>
      (await on.all(listInvitations, { ...page, before })).map(toRecord),
  };
}

/** All kinds but setup links, which never expire and are not made by users. The index is by kind. */
const isPersonal = inArray(links.kind, ['invitation', 'password_reset']);
const insert = insertInto(links, [
  'id',
  'tokenHash',
  'kind',
  'email',
  'role',
  'hubIds',
  'userId',
  'createdAt',
  'createdByKind',
  'createdById',
  'createdByName',
  'expiresAt',
]);
const deletion = (condition: SQL | undefined) => query(() => build.delete(links).where(condition));
const deletions = {
  one: deletion(isOfId),
  matching: deletion(
    and(
      eq(links.kind, sql.placeholder('kind')),
      matchesIfGiven(links.email, 'email'),
      matchesIfGiven(links.userId, 'userId'),
    ),
  ),
  createdBy: deletion(and(isPersonal, eq(links.createdById, sql.placeholder('userId')))),
  expired: deletion(and(isPersonal, lte(links.expiresAt, sql.placeholder('now')))),
};

export function linkChanges(on: Connection) {
  const deleteMatching = async ({ kind, email = null, userId = null }: LinkFilter): Promise<void> => {
    await on.run(deletions.matching, { kind, email, userId });
  };
  return {
    find: async (id: string): Promise<LinkRecord | null> => recordOrNull(await on.lock(findById, { id })),
    /** Writes a link in place of those of its kind for the same address or user, also of those being written. */
    replace: async ({ createdBy, hubIds, ...row }: LinkRecord, tokenHash: Uint8Array): Promise<void> => {
      // There may be no row to lock yet.
      await on.lockName(`${row.kind} of ${row.email ?? row.userId}`);
      await deleteMatching(row);
      await on.run(insert, {
        ...row,
        tokenHash: Buffer.from(tokenHash),
        hubIds: JSON.stringify(hubIds),
        createdByKind: createdBy.kind,
        createdById: createdBy.id,
        createdByName: createdBy.name,
      });
    },
    delete: async (id: string): Promise<void> => {
      await on.run(deletions.one, { id });
    },
    deleteMatching,
    /** Deletes the invitations and reset links that this user has created. */
    deleteCreatedBy: async (userId: string): Promise<void> => {
      await on.run(deletions.createdBy, { userId });
    },
    /** Deletes the links that ended at `now` or earlier. */
    deleteExpired: async (now: number): Promise<void> => {
      await on.run(deletions.expired, { now });
    },
  };
}

type LinkRow = typeof links.$inferSelect;

function toRecord({ tokenHash, hubIds, createdByKind, createdById, createdByName, ...row }: LinkRow): LinkRecord {
  return {
    ...row,
    hubIds: JSON.parse(hubIds) as string[],
    createdBy: { kind: createdByKind, id: createdById, name: createdByName },
  };
}

function recordOrNull(row: LinkRow | undefined): LinkRecord | null {
  return row ? toRecord(row) : null;
}
