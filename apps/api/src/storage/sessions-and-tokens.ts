import { and, count, desc, eq, gt, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import { deviceLogins } from './device-logins.ts';
import type { Connection, Query, RowOf, Values } from './engine/connection.ts';
import { build, columnsWithout, fromNewest, given, page, select } from './engine/query.ts';
import { deleteFrom, insertInto, updatesOf } from './engine/write.ts';
import { personalTokens, sessions, users } from './schema/users.table.ts';
import { type UserRecord, userColumns } from './users.ts';

/** The current state of the user of a session or a personal token. The user may be disabled. */
export interface UserCredential {
  kind: 'session' | 'token';
  id: string;
  expiresAt: number | null;
  user: UserRecord;
}

const isSession = eq(sessions.id, given('id'));
const isToken = eq(personalTokens.id, given('id'));
const hasSessionHash = eq(sessions.tokenHash, given('tokenHash'));
const ofUser = { sessions: eq(sessions.userId, given('userId')), tokens: eq(personalTokens.userId, given('userId')) };

/** The only look-up of every request by a user. PostgreSQL locks rows in the order of the tables: the user first. */
const credential = (table: typeof sessions | typeof personalTokens, condition: SQL): CredentialQuery =>
  select({ id: table.id, expiresAt: table.expiresAt, user: userColumns }, users, condition, {
    joins: [[table, eq(table.userId, users.id)]],
  });
type CredentialQuery = Query<Omit<UserCredential, 'kind'>>;
const byHash: Record<UserCredential['kind'], CredentialQuery> = {
  session: credential(sessions, hasSessionHash),
  token: credential(personalTokens, eq(personalTokens.tokenHash, given('tokenHash'))),
};
const byId: typeof byHash = { session: credential(sessions, isSession), token: credential(personalTokens, isToken) };

const sessionColumns = columnsWithout(sessions, 'tokenHash', 'confirmedAt');
const findSession = select(sessionColumns, sessions, isSession);
const listSessions = page(sessionColumns, sessions.id, and(ofUser.sessions, gt(sessions.expiresAt, given('now'))));
const confirmedAt = sql`coalesce(${sessions.confirmedAt}, ${sessions.createdAt})`.mapWith(Number);
const passwordGivenAt = select({ at: confirmedAt }, sessions, isSession);
const tokenColumns = columnsWithout(personalTokens, 'tokenHash');
const findToken = select(tokenColumns, personalTokens, isToken);
const listTokens = page(tokenColumns, personalTokens.id, ofUser.tokens);

export type SessionRecord = RowOf<typeof findSession>;
/** `confirmedAt`: when the password was last confirmed. */
type SessionChanges = Partial<Pick<SessionRecord, 'lastUsedAt' | 'expiresAt' | 'address'> & { confirmedAt: number }>;
export type PersonalTokenRecord = RowOf<typeof findToken>;
type TokenChanges = Partial<Pick<PersonalTokenRecord, 'lastUsedAt' | 'lastUsedAddress'>>;

export function sessionReads(on: Connection) {
  /** In a transaction, neither the credential nor its user ends or changes before the transaction does. */
  const find = async (
    kind: UserCredential['kind'],
    by: typeof byHash,
    values: Values,
  ): Promise<UserCredential | null> => {
    const credential = await on.lock(by[kind], values, 'share');
    return credential ? { kind, ...credential } : null;
  };
  return {
    findCredential: (tokenHash: Uint8Array, kind: UserCredential['kind']) => find(kind, byHash, { tokenHash }),
    /** Like `findCredential`, but by id, to reauthorize an open connection. */
    findCredentialById: (id: string, kind: UserCredential['kind']) => find(kind, byId, { id }),
    listSessions: async (page: PageRequest & { userId: string; now: number }) => on.all(listSessions, fromNewest(page)),
    /** Returns when the password was last confirmed in this session; `null` if there is no such session. */
    passwordGivenAt: async (id: string) => (await on.first(passwordGivenAt, { id }))?.at ?? null,
    listTokens: async (page: PageRequest & { userId: string }) => on.all(listTokens, fromNewest(page)),
  };
}

/** Returns what deletes sessions or tokens. */
function eraseWith(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  return async (query: Query<unknown>, values: Values): Promise<void> => {
    if ((await on.run(query, values)) > 0) report.rightsChanged();
  };
}

const insertSession = insertInto(sessions);
const sessionUpdates = updatesOf(sessions, isSession);
const deleteSessions = (condition: SQL | undefined) => deleteFrom(sessions, condition);
const newest = build.select({ id: sessions.id }).from(sessions).where(ofUser.sessions).orderBy(desc(sessions.id));
const deletions = {
  one: deleteSessions(isSession),
  byHash: deleteSessions(hasSessionHash),
  all: deleteSessions(ofUser.sessions),
  allButNewest: deleteSessions(and(ofUser.sessions, notInArray(sessions.id, newest.limit(given('count'))))),
  expired: deleteSessions(lte(sessions.expiresAt, given('now'))),
};

export function sessionChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  const erase = eraseWith(on, report);
  return {
    find: async (id: string) => (await on.lock(findSession, { id })) ?? null,
    /** `confirmedAt`: when the user signed in at the provider; `null` for a password, which was entered now. */
    insert: async (session: SessionRecord, tokenHash: Uint8Array, confirmedAt: number | null) =>
      on.run(insertSession, { ...session, tokenHash, confirmedAt }),
    update: async (id: string, changes: SessionChanges) => on.run(sessionUpdates(changes), { id, ...changes }),
    delete: (id: string) => erase(deletions.one, { id }),
    deleteByTokenHash: (tokenHash: Uint8Array) => erase(deletions.byHash, { tokenHash }),
    deleteAllOf: (userId: string) => erase(deletions.all, { userId }),
    /** Deletes the sessions of a user except this many that began last. */
    deleteAllButNewest: (userId: string, count: number) => erase(deletions.allButNewest, { userId, count }),
    /** Deletes the sessions that ended at `now` or earlier. No rights change: an expired session gives none. */
    deleteExpired: async (now: number) => on.run(deletions.expired, { now }),
  };
}

const isValidToken = or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, given('at')));
const countTokens = select({ count: count() }, personalTokens, and(ofUser.tokens, isValidToken));
const insertToken = insertInto(personalTokens);
const tokenUpdates = updatesOf(personalTokens, isToken);
const deleteToken = deleteFrom(personalTokens, isToken);
const deleteLoginsOf = deleteFrom(deviceLogins, eq(deviceLogins.userId, given('userId')));
const deleteTokensOf = deleteFrom(personalTokens, ofUser.tokens);

export function tokenChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  const erase = eraseWith(on, report);
  return {
    find: async (id: string) => (await on.lock(findToken, { id })) ?? null,
    /** Counts the tokens of a user that have not expired at `at`. */
    countValid: async (userId: string, at: number) => (await on.first(countTokens, { userId, at }))?.count ?? 0,
    insert: async (token: PersonalTokenRecord, tokenHash: Uint8Array) => on.run(insertToken, { ...token, tokenHash }),
    update: async (id: string, changes: TokenChanges) => on.run(tokenUpdates(changes), { id, ...changes }),
    delete: (id: string) => erase(deleteToken, { id }),
    /** Also deletes what would still become a token. */
    deleteAllOf: async (userId: string): Promise<void> => {
      await on.run(deleteLoginsOf, { userId });
      await erase(deleteTokensOf, { userId });
    },
  };
}
