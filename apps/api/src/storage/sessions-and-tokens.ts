import { and, count, desc, eq, gt, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import { userColumns } from './columns.ts';
import type { CommitReportBuilder } from './commit-report-builder.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, type Query, query, updatesOf } from './engine/query.ts';
import { personalTokens, sessions, users } from './schema/users.table.ts';
import type { UserRecord } from './users.ts';

export interface SessionRecord {
  id: string;
  userId: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  address: string;
  userAgent: string | null;
}

/** `confirmedAt`: when the password was last confirmed. */
export type SessionChanges = Partial<
  Pick<SessionRecord, 'lastUsedAt' | 'expiresAt' | 'address'> & { confirmedAt: number }
>;

export interface PersonalTokenRecord {
  id: string;
  userId: string;
  name: string;
  lastFour: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  lastUsedAddress: string | null;
}

export type TokenChanges = Partial<Pick<PersonalTokenRecord, 'lastUsedAt' | 'lastUsedAddress'>>;

/** The current state of the user of a session or a personal token. The user may be disabled. */
export interface UserCredential {
  kind: 'session' | 'token';
  /** The id of the session or the token. */
  id: string;
  expiresAt: number | null;
  user: UserRecord;
}

const sessionColumns = {
  id: sessions.id,
  userId: sessions.userId,
  createdAt: sessions.createdAt,
  lastUsedAt: sessions.lastUsedAt,
  expiresAt: sessions.expiresAt,
  address: sessions.address,
  userAgent: sessions.userAgent,
};
const tokenColumns = {
  id: personalTokens.id,
  userId: personalTokens.userId,
  name: personalTokens.name,
  lastFour: personalTokens.lastFour,
  createdAt: personalTokens.createdAt,
  expiresAt: personalTokens.expiresAt,
  lastUsedAt: personalTokens.lastUsedAt,
  lastUsedAddress: personalTokens.lastUsedAddress,
};
const isSession = eq(sessions.id, sql.placeholder('id'));
const hasSessionHash = eq(sessions.tokenHash, sql.placeholder('tokenHash'));
const isToken = eq(personalTokens.id, sql.placeholder('id'));
const ofUser = {
  sessions: eq(sessions.userId, sql.placeholder('userId')),
  tokens: eq(personalTokens.userId, sql.placeholder('userId')),
};

/**
 * Finds the user of a session or a token: the only look-up that every request by a user needs. The user comes first, since
 * PostgreSQL locks the rows of a join in the order of the tables.
 */
const ofSession = (condition: SQL) =>
  query(() =>
    build
      .select({ id: sessions.id, expiresAt: sessions.expiresAt, user: userColumns })
      .from(users)
      .innerJoin(sessions, eq(sessions.userId, users.id))
      .where(condition),
  );
const ofToken = (condition: SQL) =>
  query(() =>
    build
      .select({ id: personalTokens.id, expiresAt: personalTokens.expiresAt, user: userColumns })
      .from(users)
      .innerJoin(personalTokens, eq(personalTokens.userId, users.id))
      .where(condition),
  );
type CredentialQuery = Query<Omit<UserCredential, 'kind'>>;
const byHash: Record<UserCredential['kind'], CredentialQuery> = {
  session: ofSession(hasSessionHash),
  token: ofToken(eq(personalTokens.tokenHash, sql.placeholder('tokenHash'))),
};
const byId: typeof byHash = { session: ofSession(isSession), token: ofToken(isToken) };

const listSessions = query(() =>
  build
    .select(sessionColumns)
    .from(sessions)
    .where(
      and(ofUser.sessions, lt(sessions.id, sql.placeholder('before')), gt(sessions.expiresAt, sql.placeholder('now'))),
    )
    .orderBy(desc(sessions.id))
    .limit(sql.placeholder('limit')),
);
const passwordGivenAt = query(() =>
  build
    .select({ at: sql`coalesce(${sessions.confirmedAt}, ${sessions.createdAt})`.mapWith(Number) })
    .from(sessions)
    .where(isSession),
);
const listTokens = query(() =>
  build
    .select(tokenColumns)
    .from(personalTokens)
    .where(and(ofUser.tokens, lt(personalTokens.id, sql.placeholder('before'))))
    .orderBy(desc(personalTokens.id))
    .limit(sql.placeholder('limit')),
);

export type SessionReads = ReturnType<typeof sessionReads>;

export function sessionReads(on: Connection) {
  /** In a transaction, neither the credential nor its user ends or changes before the transaction does. */
  const find = async (
    kind: UserCredential['kind'],
    by: typeof byHash,
    values: { id: string } | { tokenHash: Uint8Array },
  ): Promise<UserCredential | null> => {
    const credential = await on.lock(by[kind], values, 'share');
    return credential ? { kind, ...credential } : null;
  };
  return {
    findCredential: (tokenHash: Uint8Array, kind: UserCredential['kind']) =>
      find(kind, byHash, { tokenHash: Buffer.from(tokenHash) }),
    /** Like `findCredential`, but by id, to reauthorize an open connection. */
    findCredentialById: (id: string, kind: UserCredential['kind']) => find(kind, byId, { id }),
    /** Lists the sessions that end after `now`. */
    listSessions: async ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string; now: number }) =>
      on.all(listSessions, { ...page, before }),
    /** Returns when the password was last confirmed in this session; `null` if there is no such session. */
    passwordGivenAt: async (id: string): Promise<number | null> =>
      (await on.first(passwordGivenAt, { id }))?.at ?? null,
    listTokens: async ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string }) =>
      on.all(listTokens, { ...page, before }),
  };
}

const findSession = query(() => build.select(sessionColumns).from(sessions).where(isSession));
const insertSession = insertInto(sessions, [
  'id',
  'tokenHash',
  'userId',
  'createdAt',
  'lastUsedAt',
  'expiresAt',
  'address',
  'userAgent',
]);
const sessionUpdates = updatesOf(sessions, isSession);
const deleteSessions = (condition: SQL | undefined) => query(() => build.delete(sessions).where(condition));
const deletions = {
  one: deleteSessions(isSession),
  byHash: deleteSessions(hasSessionHash),
  all: deleteSessions(ofUser.sessions),
  allButNewest: deleteSessions(
    and(
      ofUser.sessions,
      notInArray(
        sessions.id,
        build
          .select({ id: sessions.id })
          .from(sessions)
          .where(ofUser.sessions)
          .orderBy(desc(sessions.id))
          .limit(sql.placeholder('count')),
      ),
    ),
  ),
  expired: deleteSessions(lte(sessions.expiresAt, sql.placeholder('now'))),
};

export function sessionChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  const erase = async (query: Query<unknown>, values: Record<string, unknown>): Promise<void> => {
    if ((await on.run(query, values)) > 0) report.rightsChanged();
  };
  return {
    find: async (id: string): Promise<SessionRecord | null> => (await on.lock(findSession, { id })) ?? null,
    insert: async (session: SessionRecord, tokenHash: Uint8Array): Promise<void> => {
      await on.run(insertSession, { ...session, tokenHash: Buffer.from(tokenHash) });
    },
    update: async (id: string, changes: SessionChanges): Promise<void> => {
      await on.run(sessionUpdates(changes), { id, ...changes });
    },
    delete: (id: string) => erase(deletions.one, { id }),
    deleteByTokenHash: (tokenHash: Uint8Array) => erase(deletions.byHash, { tokenHash: Buffer.from(tokenHash) }),
    deleteAllOf: (userId: string) => erase(deletions.all, { userId }),
    /** Deletes the sessions of a user except this many that began last. */
    deleteAllButNewest: (userId: string, count: number) => erase(deletions.allButNewest, { userId, count }),
    /** Deletes the sessions that ended at `now` or earlier. No rights change: an expired session gives none. */
    deleteExpired: async (now: number): Promise<void> => {
      await on.run(deletions.expired, { now });
    },
  };
}

const findToken = query(() => build.select(tokenColumns).from(personalTokens).where(isToken));
const countTokens = query(() =>
  build
    .select({ count: count() })
    .from(personalTokens)
    .where(
      and(ofUser.tokens, or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, sql.placeholder('at')))),
    ),
);
const insertToken = insertInto(personalTokens, [
  'id',
  'tokenHash',
  'lastFour',
  'userId',
  'name',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'lastUsedAddress',
]);
const tokenUpdates = updatesOf(personalTokens, isToken);
const deleteToken = query(() => build.delete(personalTokens).where(isToken));
const deleteTokensOf = query(() => build.delete(personalTokens).where(ofUser.tokens));

/** Personal access tokens. */
export function tokenChanges(on: Connection, report: Pick<CommitReportBuilder, 'rightsChanged'>) {
  return {
    find: async (id: string): Promise<PersonalTokenRecord | null> => (await on.lock(findToken, { id })) ?? null,
    /** Counts the tokens of a user that have not expired at `at`. */
    countValid: async (userId: string, at: number): Promise<number> =>
      (await on.first(countTokens, { userId, at }))?.count ?? 0,
    insert: async (token: PersonalTokenRecord, tokenHash: Uint8Array): Promise<void> => {
      await on.run(insertToken, { ...token, tokenHash: Buffer.from(tokenHash) });
    },
    update: async (id: string, changes: TokenChanges): Promise<void> => {
      await on.run(tokenUpdates(changes), { id, ...changes });
    },
    delete: async (id: string): Promise<void> => {
      await on.run(deleteToken, { id });
      report.rightsChanged();
    },
    deleteAllOf: async (userId: string): Promise<void> => {
      await on.run(deleteTokensOf, { userId });
      report.rightsChanged();
    },
  };
}
