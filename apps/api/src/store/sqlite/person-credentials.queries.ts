import { eq, type SQL, sql } from 'drizzle-orm';
import { MAX_SESSION_AGE_MS } from '../../people/credential-use.ts';
import type { CredentialUse, PersonCredential } from '../people-store.ts';
import type { Db } from './database.ts';
import { personColumns } from './people-reads.queries.ts';
import { people, personalTokens, sessions } from './tables/people.table.ts';

/** Who is behind a session or a token: the one look-up of every request that a person makes. */
export function personCredentialReads(db: Db) {
  const ofSession = (condition: SQL) =>
    db
      .select({ id: sessions.id, expiresAt: sessions.expiresAt, person: personColumns })
      .from(sessions)
      .innerJoin(people, eq(people.id, sessions.personId))
      .where(condition)
      .prepare();
  const ofToken = (condition: SQL) =>
    db
      .select({ id: personalTokens.id, expiresAt: personalTokens.expiresAt, person: personColumns })
      .from(personalTokens)
      .innerJoin(people, eq(people.id, personalTokens.personId))
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
    find: (tokenHash: Uint8Array, kind: 'session' | 'token'): PersonCredential | null => {
      const found = byHash[kind].get({ tokenHash });
      return found ? { kind, ...found } : null;
    },
    findById: (id: string, kind: 'session' | 'token'): PersonCredential | null => {
      const found = byId[kind].get({ id });
      return found ? { kind, ...found } : null;
    },
  };
}

/** Each function runs inside a transaction of the writer. What has ended meanwhile stays ended. */
export function personCredentialWrites(db: Db) {
  const noteSession = ({ id, at, address, expiresAt }: CredentialUse): void => {
    db.update(sessions)
      .set({
        lastUsedAt: sql`max(${sessions.lastUsedAt}, ${at})`,
        expiresAt: sql`min(max(${sessions.expiresAt}, ${expiresAt ?? 0}), ${sessions.createdAt} + ${MAX_SESSION_AGE_MS})`,
        address,
      })
      .where(eq(sessions.id, id))
      .run();
  };
  const noteToken = ({ id, at, address }: CredentialUse): void => {
    db.update(personalTokens)
      .set({ lastUsedAt: sql`max(coalesce(${personalTokens.lastUsedAt}, 0), ${at})`, lastUsedAddress: address })
      .where(eq(personalTokens.id, id))
      .run();
  };

  return {
    noteUse: (uses: readonly CredentialUse[]): void => {
      for (const use of uses) {
        if (use.kind === 'session') noteSession(use);
        else noteToken(use);
        db.update(people)
          .set({ lastSeenAt: sql`max(coalesce(${people.lastSeenAt}, 0), ${use.at})` })
          .where(eq(people.id, use.personId))
          .run();
      }
    },
  };
}
