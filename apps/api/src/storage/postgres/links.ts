import { and, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import type { LinkFilter, LinkRecord } from '../users-store.ts';
import type { Connection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { links } from './tables/users.table.ts';

const byHash = () =>
  build
    .select()
    .from(links)
    .where(eq(links.tokenHash, sql.placeholder('tokenHash')));
const findByHash = statement(byHash());
/** A link is used once: a transaction that uses it at the same time waits, and then does not find it. */
const findByHashLocked = statement(byHash().for('update'));
const find = statement(
  build
    .select()
    .from(links)
    .where(eq(links.id, sql.placeholder('id')))
    .for('update'),
);
const listInvitations = statement(
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

/** `isLocked`: in a transaction. */
export function linkReads(on: Connection, { isLocked = false } = {}) {
  const query = isLocked ? findByHashLocked : findByHash;
  return {
    findLink: async (tokenHash: Uint8Array): Promise<LinkRecord | null> =>
      toRecord(await on.first(query, { tokenHash: Buffer.from(tokenHash) })),
    listInvitations: async ({
      before = AFTER_ALL_IDS,
      ...page
    }: PageRequest & { now: number }): Promise<LinkRecord[]> =>
      (await on.all(listInvitations, { ...page, before })).map((row) => toRecord(row)),
  };
}

/** Identifies the advisory lock: any number that no other program uses in this database. */
const LINKS_LOCK = 4_827_004;

/** Makes transactions that write a link for the same purpose wait for each other: there may be no row to lock yet. */
const lockPurpose = rawStatement(
  sql`select pg_advisory_xact_lock(${sql.raw(String(LINKS_LOCK))}, hashtext(${sql.placeholder('purpose')}))`,
  () => true,
);

export function linkChanges(on: Connection) {
  /** All kinds but setup links, which never expire and are not made by users. The index is by kind. */
  const isPersonal = inArray(links.kind, ['invitation', 'password_reset']);
  const deleteMatching = async ({ kind, email = null, userId = null }: LinkFilter): Promise<void> => {
    const matches = and(
      eq(links.kind, kind),
      email === null ? undefined : eq(links.email, email),
      userId === null ? undefined : eq(links.userId, userId),
    );
    await on.run(statement(build.delete(links).where(matches)));
  };
  return {
    find: async (id: string): Promise<LinkRecord | null> => toRecord(await on.first(find, { id })),
    replace: async ({ createdBy, hubIds, ...row }: LinkRecord, tokenHash: Uint8Array): Promise<void> => {
      await on.first(lockPurpose, { purpose: `${row.kind} ${row.email ?? row.userId}` });
      await deleteMatching(row);
      const values = {
        ...row,
        tokenHash: Buffer.from(tokenHash),
        hubIds: JSON.stringify(hubIds),
        createdByKind: createdBy.kind,
        createdById: createdBy.id,
        createdByName: createdBy.name,
      };
      await on.run(statement(build.insert(links).values(values)));
    },
    delete: async (linkId: string): Promise<void> => {
      await on.run(statement(build.delete(links).where(eq(links.id, linkId))));
    },
    deleteMatching,
    deleteCreatedBy: async (userId: string): Promise<void> => {
      await on.run(statement(build.delete(links).where(and(isPersonal, eq(links.createdById, userId)))));
    },
    deleteExpired: async (now: number): Promise<void> => {
      await on.run(statement(build.delete(links).where(and(isPersonal, lte(links.expiresAt, now)))));
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
