import { and, count, desc, eq, gt, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import type {
  PersonalTokenRecord,
  SessionChanges,
  SessionRecord,
  TokenChanges,
  UserCredential,
} from '../users-store.ts';
import type { Connection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { personalTokens, sessions, users } from './tables/users.table.ts';
import { userColumns } from './users.ts';

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

type CredentialKind = UserCredential['kind'];

/** Finds the user of a session or a token. In a transaction, neither ends nor changes before the transaction does. */
const credentialQueries = (isLocked: boolean) => {
  const ofSession = (condition: SQL) => {
    const query = build
      .select({ id: sessions.id, expiresAt: sessions.expiresAt, user: userColumns })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(condition);
    return statement(isLocked ? query.for('share') : query);
  };
  const ofToken = (condition: SQL) => {
    const query = build
      .select({ id: personalTokens.id, expiresAt: personalTokens.expiresAt, user: userColumns })
      .from(personalTokens)
      .innerJoin(users, eq(users.id, personalTokens.userId))
      .where(condition);
    return statement(isLocked ? query.for('share') : query);
  };
  return {
    byHash: {
      session: ofSession(eq(sessions.tokenHash, sql.placeholder('tokenHash'))),
      token: ofToken(eq(personalTokens.tokenHash, sql.placeholder('tokenHash'))),
    },
    byId: {
      session: ofSession(eq(sessions.id, sql.placeholder('id'))),
      token: ofToken(eq(personalTokens.id, sql.placeholder('id'))),
    },
  };
};
const credentials = credentialQueries(false);
const credentialsLocked = credentialQueries(true);

const listSessions = statement(
  build
    .select(sessionColumns)
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, sql.placeholder('userId')),
        lt(sessions.id, sql.placeholder('before')),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(sql.placeholder('limit')),
);
const passwordGivenAt = statement(
  build
    .select({ at: sql`coalesce(${sessions.confirmedAt}, ${sessions.createdAt})`.mapWith(Number) })
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('sessionId'))),
);
const listTokens = statement(
  build
    .select(tokenColumns)
    .from(personalTokens)
    .where(and(eq(personalTokens.userId, sql.placeholder('userId')), lt(personalTokens.id, sql.placeholder('before'))))
    .orderBy(desc(personalTokens.id))
    .limit(sql.placeholder('limit')),
);

/** `isLocked`: in a transaction. */
export function sessionReads(on: Connection, { isLocked = false } = {}) {
  const queries = isLocked ? credentialsLocked : credentials;
  const found = async (query: (typeof queries.byId)[CredentialKind], kind: CredentialKind, values: object) => {
    const row = await on.first(query, { ...values });
    return row ? { kind, ...row } : null;
  };
  return {
    findCredential: (tokenHash: Uint8Array, kind: CredentialKind): Promise<UserCredential | null> =>
      found(queries.byHash[kind], kind, { tokenHash: Buffer.from(tokenHash) }),
    findCredentialById: (id: string, kind: CredentialKind): Promise<UserCredential | null> =>
      found(queries.byId[kind], kind, { id }),
    listSessions: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string; now: number }) =>
      on.all(listSessions, { ...page, before }),
    passwordGivenAt: async (sessionId: string): Promise<number | null> =>
      (await on.first(passwordGivenAt, { sessionId }))?.at ?? null,
    listTokens: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string }) =>
      on.all(listTokens, { ...page, before }),
  };
}

const findSession = statement(
  build
    .select(sessionColumns)
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('id')))
    .for('update'),
);

export function sessionChanges(on: Connection, report: CommitReportBuilder) {
  const erase = async (condition: SQL | undefined): Promise<void> => {
    const erased = await on.run(statement(build.delete(sessions).where(condition)));
    if (erased > 0) report.rightsChanged();
  };
  return {
    find: async (id: string): Promise<SessionRecord | null> => (await on.first(findSession, { id })) ?? null,
    insert: async (session: SessionRecord, tokenHash: Uint8Array): Promise<void> => {
      await on.run(statement(build.insert(sessions).values({ ...session, tokenHash: Buffer.from(tokenHash) })));
    },
    update: async (sessionId: string, changes: SessionChanges): Promise<void> => {
      await on.run(statement(build.update(sessions).set(changes).where(eq(sessions.id, sessionId))));
    },
    delete: (sessionId: string): Promise<void> => erase(eq(sessions.id, sessionId)),
    deleteByTokenHash: (tokenHash: Uint8Array): Promise<void> => erase(eq(sessions.tokenHash, Buffer.from(tokenHash))),
    deleteAllOf: (userId: string): Promise<void> => erase(eq(sessions.userId, userId)),
    deleteAllButNewest: (userId: string, count: number): Promise<void> => {
      const newest = build
        .select({ id: sessions.id })
        .from(sessions)
        .where(eq(sessions.userId, userId))
        .orderBy(desc(sessions.id))
        .limit(count);
      return erase(and(eq(sessions.userId, userId), notInArray(sessions.id, newest)));
    },
    /** No rights change: an expired session gives none. */
    deleteExpired: async (now: number): Promise<void> => {
      await on.run(statement(build.delete(sessions).where(lte(sessions.expiresAt, now))));
    },
  };
}

/** Identifies the advisory lock: any number that no other program uses in this database. */
const TOKENS_LOCK = 4_827_003;

const findToken = statement(
  build
    .select(tokenColumns)
    .from(personalTokens)
    .where(eq(personalTokens.id, sql.placeholder('id')))
    .for('update'),
);
/**
 * Prevents two transactions from both creating the last token that is allowed. Both have the row of the user locked
 * already, in share mode, so each would wait for the other one to lock it exclusively.
 */
const lockTokens = rawStatement(
  sql`select pg_advisory_xact_lock(${sql.raw(String(TOKENS_LOCK))}, hashtext(${sql.placeholder('userId')}))`,
  () => true,
);
const countTokens = statement(
  build
    .select({ count: count() })
    .from(personalTokens)
    .where(
      and(
        eq(personalTokens.userId, sql.placeholder('userId')),
        or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, sql.placeholder('at'))),
      ),
    ),
);

export function tokenChanges(on: Connection, report: CommitReportBuilder) {
  const erase = async (condition: SQL): Promise<void> => {
    await on.run(statement(build.delete(personalTokens).where(condition)));
    report.rightsChanged();
  };
  return {
    find: async (id: string): Promise<PersonalTokenRecord | null> => (await on.first(findToken, { id })) ?? null,
    countValid: async (userId: string, at: number): Promise<number> => {
      await on.first(lockTokens, { userId });
      return (await on.first(countTokens, { userId, at }))?.count ?? 0;
    },
    insert: async (token: PersonalTokenRecord, tokenHash: Uint8Array): Promise<void> => {
      await on.run(statement(build.insert(personalTokens).values({ ...token, tokenHash: Buffer.from(tokenHash) })));
    },
    update: async (tokenId: string, changes: TokenChanges): Promise<void> => {
      await on.run(statement(build.update(personalTokens).set(changes).where(eq(personalTokens.id, tokenId))));
    },
    delete: (tokenId: string): Promise<void> => erase(eq(personalTokens.id, tokenId)),
    deleteAllOf: (userId: string): Promise<void> => erase(eq(personalTokens.userId, userId)),
  };
}
