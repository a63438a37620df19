import { and, count, desc, eq, gt, isNull, lt, lte, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import { userColumns } from '../columns.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { personalTokens, sessions, users } from '../schema/users.table.ts';
import type {
  PersonalTokenRecord,
  SessionChanges,
  SessionRecord,
  TokenChanges,
  UserCredential,
} from '../users-store.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

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

/** Finds the user of a session or a token: the only look-up that every request by a user needs. */
function credentialReads(db: Db) {
  const ofSession = (condition: SQL) =>
    prepared(db, () =>
      db
        .select({ id: sessions.id, expiresAt: sessions.expiresAt, user: userColumns })
        .from(sessions)
        .innerJoin(users, eq(users.id, sessions.userId))
        .where(condition),
    );
  const ofToken = (condition: SQL) =>
    prepared(db, () =>
      db
        .select({ id: personalTokens.id, expiresAt: personalTokens.expiresAt, user: userColumns })
        .from(personalTokens)
        .innerJoin(users, eq(users.id, personalTokens.userId))
        .where(condition),
    );
  const byHash = {
    session: ofSession(eq(sessions.tokenHash, sql.placeholder('tokenHash'))),
    token: ofToken(eq(personalTokens.tokenHash, sql.placeholder('tokenHash'))),
  };
  const byId = {
    session: ofSession(eq(sessions.id, sql.placeholder('id'))),
    token: ofToken(eq(personalTokens.id, sql.placeholder('id'))),
  };

  return {
    findCredential: (tokenHash: Uint8Array, kind: 'session' | 'token'): UserCredential | null => {
      const found = byHash[kind].get({ tokenHash });
      return found ? { kind, ...found } : null;
    },
    findCredentialById: (id: string, kind: 'session' | 'token'): UserCredential | null => {
      const found = byId[kind].get({ id });
      return found ? { kind, ...found } : null;
    },
  };
}

export function sessionReads(db: Db) {
  const listSessions = prepared(db, () =>
    db
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
  const passwordGivenAt = prepared(db, () =>
    db
      .select({ at: sql<number>`coalesce(${sessions.confirmedAt}, ${sessions.createdAt})` })
      .from(sessions)
      .where(eq(sessions.id, sql.placeholder('sessionId'))),
  );
  const listTokens = prepared(db, () =>
    db
      .select(tokenColumns)
      .from(personalTokens)
      .where(
        and(eq(personalTokens.userId, sql.placeholder('userId')), lt(personalTokens.id, sql.placeholder('before'))),
      )
      .orderBy(desc(personalTokens.id))
      .limit(sql.placeholder('limit')),
  );
  return {
    ...credentialReads(db),
    listSessions: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string; now: number }) =>
      listSessions.all({ ...page, before }),
    passwordGivenAt: (sessionId: string): number | null => passwordGivenAt.get({ sessionId })?.at ?? null,
    listTokens: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { userId: string }) =>
      listTokens.all({ ...page, before }),
  };
}

/** Each function runs inside a transaction. */
export function sessionChanges(db: Db, commitReport: CommitReportBuilder) {
  const erase = (condition: SQL | undefined): void => {
    const erased = db.delete(sessions).where(condition).returning({ id: sessions.id }).all();
    if (erased.length > 0) commitReport.rightsChanged();
  };
  return {
    reads: {
      find: (sessionId: string): SessionRecord | null =>
        db.select(sessionColumns).from(sessions).where(eq(sessions.id, sessionId)).get() ?? null,
    },
    changes: {
      insert: (session: SessionRecord, tokenHash: Uint8Array): void => {
        db.insert(sessions)
          .values({ ...session, tokenHash: Buffer.from(tokenHash) })
          .run();
      },
      update: (sessionId: string, changes: SessionChanges): void => {
        db.update(sessions).set(changes).where(eq(sessions.id, sessionId)).run();
      },
      delete: (sessionId: string): void => erase(eq(sessions.id, sessionId)),
      deleteByTokenHash: (tokenHash: Uint8Array): void => erase(eq(sessions.tokenHash, Buffer.from(tokenHash))),
      deleteAllOf: (userId: string): void => erase(eq(sessions.userId, userId)),
      deleteAllButNewest: (userId: string, count: number): void => {
        const newest = db
          .select({ id: sessions.id })
          .from(sessions)
          .where(eq(sessions.userId, userId))
          .orderBy(desc(sessions.id))
          .limit(count);
        erase(and(eq(sessions.userId, userId), notInArray(sessions.id, newest)));
      },
      /** No rights change: an expired session gives none. */
      deleteExpired: (now: number): void => {
        db.delete(sessions).where(lte(sessions.expiresAt, now)).run();
      },
    },
  };
}

/** Each function runs inside a transaction. */
export function tokenChanges(db: Db, commitReport: CommitReportBuilder) {
  const erase = (condition: SQL): void => {
    db.delete(personalTokens).where(condition).run();
    commitReport.rightsChanged();
  };
  return {
    reads: {
      find: (tokenId: string): PersonalTokenRecord | null =>
        db.select(tokenColumns).from(personalTokens).where(eq(personalTokens.id, tokenId)).get() ?? null,
      countValid: (userId: string, at: number): number => {
        const isValid = or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, at));
        return (
          db
            .select({ count: count() })
            .from(personalTokens)
            .where(and(eq(personalTokens.userId, userId), isValid))
            .get()?.count ?? 0
        );
      },
    },
    changes: {
      insert: (token: PersonalTokenRecord, tokenHash: Uint8Array): void => {
        db.insert(personalTokens)
          .values({ ...token, tokenHash: Buffer.from(tokenHash) })
          .run();
      },
      update: (tokenId: string, changes: TokenChanges): void => {
        db.update(personalTokens).set(changes).where(eq(personalTokens.id, tokenId)).run();
      },
      delete: (tokenId: string): void => erase(eq(personalTokens.id, tokenId)),
      deleteAllOf: (userId: string): void => erase(eq(personalTokens.userId, userId)),
    },
  };
}
