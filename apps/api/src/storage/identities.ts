import { and, eq, exists, getTableColumns, lte, or, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Connection, RowOf } from './engine/connection.ts';
import { build, given, select } from './engine/query.ts';
import { insertInto, updatesOf } from './engine/write.ts';
import { bytes, idOf } from './schema/column-types.ts';
import { personalTokens, sessions, users } from './schema/users.table.ts';

/** The accounts of users at an OpenID Connect provider. */
export const identities = sqliteTable(
  'identities',
  {
    issuer: text().notNull(),
    /** The claim `sub`, by which the provider knows an account for its whole life. */
    subject: text().notNull(),
    userId: idOf(() => users.id),
    createdAt: integer().notNull(),
    /** When the provider last said that the user may sign in. */
    checkedAt: integer().notNull(),
    /** Encrypted, since it allows to ask the provider about the user. */
    refreshToken: bytes(),
  },
  (identity) => [
    primaryKey({ columns: [identity.issuer, identity.subject] }),
    uniqueIndex('identities_by_user').on(identity.userId, identity.issuer),
    index('identities_by_check').on(identity.issuer, identity.checkedAt),
  ],
);

const columns = getTableColumns(identities);
const isOne = sql`${identities.issuer} = ${given('issuer')} and ${identities.subject} = ${given('subject')}`;
const find = select(columns, identities, isOne);
const findOfUser = select(
  columns,
  identities,
  and(eq(identities.userId, given('userId')), eq(identities.issuer, given('issuer'))),
);
const hasAccess = or(
  exists(build.select({ one: sql`1` }).from(sessions).where(eq(sessions.userId, identities.userId))),
  exists(build.select({ one: sql`1` }).from(personalTokens).where(eq(personalTokens.userId, identities.userId))),
);
const listDue = select(
  columns,
  identities,
  and(eq(identities.issuer, given('issuer')), lte(identities.checkedAt, given('before')), hasAccess),
  { orderBy: identities.checkedAt, limit: given('limit') },
);
export type IdentityRecord = RowOf<typeof find>;

export function identityReads(on: Connection) {
  return {
    find: async (issuer: string, subject: string) => (await on.first(find, { issuer, subject })) ?? null,
    findOfUser: async (issuer: string, userId: string) => (await on.first(findOfUser, { issuer, userId })) ?? null,
    /** Returns identities last checked at `before` or earlier whose users have a session or a token, oldest check first. */
    listDue: async (due: { issuer: string; before: number; limit: number }) => on.all(listDue, due),
  };
}

const insert = insertInto(identities);
const updates = updatesOf(identities, isOne);

export function identityChanges(on: Connection) {
  return {
    ...identityReads(on),
    insert: async (identity: IdentityRecord) => on.run(insert, identity),
    update: async (
      { issuer, subject }: Pick<IdentityRecord, 'issuer' | 'subject'>,
      changes: Partial<Pick<IdentityRecord, 'checkedAt' | 'refreshToken'>>,
    ) => on.run(updates(changes), { issuer, subject, ...changes }),
  };
}
