import { eq, type SQL, sql } from 'drizzle-orm';
import { MAX_SESSION_AGE_MS } from '../../users/credential-use.ts';
import type { CredentialUse, UserCredential } from '../users-store.ts';
import type { Db } from './engine/database.ts';
import { personalTokens, sessions, users } from './tables/users.table.ts';
import { userColumns } from './users-reads.queries.ts';

/** Finds the user of a session or a token: the only look-up that every request by a user needs. */
export function userCredentialReads(db: Db) {
  const ofSession = (condition: SQL) =>
    db
      .select({ id: sessions.id, expiresAt: sessions.expiresAt, user: userColumns })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.personId))
      .where(condition)
      .prepare();
  const ofToken = (condition: SQL) =>
    db
      .select({ id: personalTokens.id, expiresAt: personalTokens.expiresAt, user: userColumns })
      .from(personalTokens)
      .innerJoin(users, eq(users.id, personalTokens.personId))
      .where(condition)
      .prepare();
  const byHash = {
    session: ofSession(eq(sessions.tokenHash, sql.placeholder('tokenHash'))),
    token: ofToken(eq(personalTokens.tokenHash, sql.placeholder('tokenHash'))),
  };
  const byId = {
    session: ofSession(eq(sessions.id, sql.placeholder('id'))),
    token: ofToken(eq(personalTokens.id, sql.placeholder('id'))),
  };

  return {
    find: (tokenHash: Uint8Array, kind: 'session' | 'token'): UserCredential | null => {
      const found = byHash[kind].get({ tokenHash });
      return found ? { kind, ...found } : null;
    },
    findById: (id: string, kind: 'session' | 'token'): UserCredential | null => {
      const found = byId[kind].get({ id });
      return found ? { kind, ...found } : null;
    },
  };
}

/** Each function runs inside a writer transaction. Credentials that have ended in the meantime stay ended. */
export function userCredentialWrites(db: Db) {
  const saveSessionUse = ({ id, at, address, expiresAt }: CredentialUse): void => {
    db.update(sessions)
      .set({
        lastUsedAt: sql`max(${sessions.lastUsedAt}, ${at})`,
        expiresAt: sql`min(max(${sessions.expiresAt}, ${expiresAt ?? 0}), ${sessions.createdAt} + ${MAX_SESSION_AGE_MS})`,
        address,
      })
      .where(eq(sessions.id, id))
      .run();
  };
  const saveTokenUse = ({ id, at, address }: CredentialUse): void => {
    db.update(personalTokens)
      .set({ lastUsedAt: sql`max(coalesce(${personalTokens.lastUsedAt}, 0), ${at})`, lastUsedAddress: address })
      .where(eq(personalTokens.id, id))
      .run();
  };

  return {
    saveUse: (uses: readonly CredentialUse[]): void => {
      for (const use of uses) {
        if (use.kind === 'session') saveSessionUse(use);
        else saveTokenUse(use);
        db.update(users)
          .set({ lastSeenAt: sql`max(coalesce(${users.lastSeenAt}, 0), ${use.at})` })
          .where(eq(users.id, use.personId))
          .run();
      }
    },
  };
}
