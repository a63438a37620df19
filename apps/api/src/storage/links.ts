import { and, eq, gt, inArray, lte, or, type SQL } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PageRequest } from '../platform/paging.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { columnsWithout, fromNewest, given, json, matchesIfGiven, page, select } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import { bytes, creator, role } from './schema/column-types.ts';
import { users } from './schema/users.table.ts';

/** Setup, invitation and password-reset links. A row is deleted when its link is used or withdrawn. */
export const links = sqliteTable(
  'links',
  {
    id: text().primaryKey(),
    tokenHash: bytes().notNull(),
    /** The hash of the token in the mail with the link, which has a token of its own. */
    mailedTokenHash: bytes(),
    kind: text({ enum: ['setup', 'invitation', 'password_reset', 'email_change'] }).notNull(),
    /** Set for an invitation, and for a new address. */
    email: text(),
    role: role(),
    /** JSON array. */
    hubIds: text().notNull().default('[]'),
    /** Set for a password reset, and for a new address. */
    userId: text().references(() => users.id),
    createdAt: integer().notNull(),
    ...creator(),
    expiresAt: integer(),
  },
  (link) => [
    uniqueIndex('links_by_token_hash').on(link.tokenHash),
    uniqueIndex('links_by_mailed_token_hash').on(link.mailedTokenHash),
    index('links_by_kind').on(link.kind, link.id),
  ],
);

const columns = {
  ...columnsWithout(links, 'tokenHash', 'mailedTokenHash', 'createdByKind', 'createdById', 'createdByName'),
  hubIds: json<string[]>(links.hubIds),
  createdBy: { kind: links.createdByKind, id: links.createdById, name: links.createdByName },
};
const isOfId = eq(links.id, given('id'));
const findById = select(columns, links, isOfId);
const hasHash = or(eq(links.tokenHash, given('tokenHash')), eq(links.mailedTokenHash, given('tokenHash')));
const findByHash = select(columns, links, hasHash);
const isInvitation = and(eq(links.kind, 'invitation'), gt(links.expiresAt, given('now')));
/** Only one can exist at a time. */
const findSetup = select(columns, links, eq(links.kind, 'setup'));
const findInvitation = select(columns, links, and(isInvitation, eq(links.email, given('email'))), { limit: 1 });
const listInvitations = page(columns, links.id, isInvitation);

export type LinkRecord = RowOf<typeof findById>;
/** Links of one kind: all, or those for this address or user. */
type LinkFilter = Pick<LinkRecord, 'kind'> & Partial<Pick<LinkRecord, 'email' | 'userId'>>;

export function linkReads(on: Connection) {
  return {
    /** A link is used once: a transaction that uses it at the same time waits, and then does not find it. */
    findLink: async (tokenHash: Uint8Array) => (await on.lock(findByHash, { tokenHash })) ?? null,
    listInvitations: async (page: PageRequest & { now: number }) => on.all(listInvitations, fromNewest(page)),
  };
}

/** All kinds but setup links, which never expire and are not made by users. The index is by kind. */
const isPersonal = inArray(links.kind, ['invitation', 'password_reset', 'email_change']);
const insert = insertInto(links);
const updates = updatesOf(links, isOfId);
const deletion = (condition: SQL | undefined) => deleteFrom(links, condition);
const deletions = {
  one: deletion(isOfId),
  matching: deletion(
    and(eq(links.kind, given('kind')), matchesIfGiven(links.email, 'email'), matchesIfGiven(links.userId, 'userId')),
  ),
  createdBy: deletion(and(isPersonal, eq(links.createdById, given('userId')))),
  expired: deletion(and(isPersonal, lte(links.expiresAt, given('now')))),
};

export function linkChanges(on: Connection) {
  const deleteMatching = async ({ kind, email = null, userId = null }: LinkFilter) =>
    on.run(deletions.matching, { kind, email, userId });
  /** There may be no row to lock yet. */
  const lock = async ({ kind, email, userId }: Pick<LinkRecord, 'kind' | 'email' | 'userId'>) =>
    on.lockName(`${kind} of ${email ?? userId}`);
  return {
    /** A setup link that is written at the same time is waited for. */
    findSetup: async () => {
      await lock({ kind: 'setup', email: null, userId: null });
      return (await on.first(findSetup)) ?? null;
    },
    find: async (id: string) => (await on.lock(findById, { id })) ?? null,
    /** Finds the invitation for this address that can still be accepted. */
    findInvitation: async (email: string, now: number) => (await on.lock(findInvitation, { email, now })) ?? null,
    /** Writes a link in place of those of its kind for the same address or user, also of those being written. */
    replace: async ({ createdBy, hubIds, ...row }: LinkRecord, tokenHash: Uint8Array): Promise<void> => {
      await lock(row);
      await deleteMatching(row);
      const { kind: createdByKind, id: createdById, name: createdByName } = createdBy;
      const creator = { createdByKind, createdById, createdByName };
      await on.run(insert, { ...row, ...creator, tokenHash, mailedTokenHash: null, hubIds: JSON.stringify(hubIds) });
    },
    /** Lets a second token open the link, in place of an earlier one that was mailed. */
    setMailed: async (id: string, mailedTokenHash: Uint8Array) =>
      on.run(updates({ mailedTokenHash }), { id, mailedTokenHash }),
    delete: async (id: string) => on.run(deletions.one, { id }),
    deleteMatching,
    deleteCreatedBy: async (userId: string) => on.run(deletions.createdBy, { userId }),
    deleteExpired: async (now: number) => on.run(deletions.expired, { now }),
  };
}
