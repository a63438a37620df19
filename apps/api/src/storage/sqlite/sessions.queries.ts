import { and, desc, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import { credentialEndedError } from '../../users/authenticate-user.ts';
import type { UserAction } from '../acting-user.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { PageRequest } from '../records.ts';
import type { NewSession, SessionRecord } from '../users-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import type { LinkWrites } from './links.queries.ts';
import { sessions, users } from './tables/users.table.ts';

const columns = {
  id: sessions.id,
  personId: sessions.personId,
  createdAt: sessions.createdAt,
  lastUsedAt: sessions.lastUsedAt,
  expiresAt: sessions.expiresAt,
  address: sessions.address,
  userAgent: sessions.userAgent,
};

export function sessionReads(db: Db) {
  const list = db
    .select(columns)
    .from(sessions)
    .where(
      and(
        eq(sessions.personId, sql.placeholder('personId')),
        lt(sessions.id, sql.placeholder('before')),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  const passwordGivenAt = db
    .select({ at: sql<number>`coalesce(${sessions.confirmedAt}, ${sessions.createdAt})` })
    .from(sessions)
    .where(eq(sessions.id, sql.placeholder('sessionId')))
    .prepare();
  return {
    passwordGivenAt: (sessionId: string): number | null => passwordGivenAt.get({ sessionId })?.at ?? null,
    list: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { personId: string; now: number }): SessionRecord[] =>
      list.all({ ...page, before }),
  };
}

interface PasswordChange extends UserAction {
  personId: string;
  formerHash: string;
  passwordHash: string;
  session: NewSession;
  audit: AuditRecord;
}

interface SessionWriteDeps {
  audit: AuditWrites;
  links: LinkWrites;
  commitReport: CommitReportBuilder;
  access: AccessChecks;
}

export type SessionWrites = ReturnType<typeof sessionWrites>;

/** Each function runs inside a writer transaction. */
export function sessionWrites(db: Db, { audit, links, commitReport, access }: SessionWriteDeps) {
  const insert = ({ session, tokenHash, endsTokenHash }: NewSession): void => {
    if (endsTokenHash) {
      db.delete(sessions)
        .where(eq(sessions.tokenHash, Buffer.from(endsTokenHash)))
        .run();
      commitReport.rightsChanged();
    }
    db.insert(sessions)
      .values({ ...session, tokenHash: Buffer.from(tokenHash) })
      .run();
    // Signing in updates when the user was last seen, even if no request follows.
    db.update(users)
      .set({ lastSeenAt: sql`max(coalesce(${users.lastSeenAt}, 0), ${session.createdAt})` })
      .where(eq(users.id, session.personId))
      .run();
  };
  const endAll = (personId: string): void => {
    db.delete(sessions).where(eq(sessions.personId, personId)).run();
    commitReport.rightsChanged();
  };

  return {
    insert,
    endAll,
    create: ({
      passwordHash,
      audit: entry,
      ...newSession
    }: NewSession & { passwordHash: string; audit: AuditRecord }) => {
      const { personId } = newSession.session;
      const user = db
        .select({ passwordHash: users.passwordHash, disabledAt: users.disabledAt })
        .from(users)
        .where(eq(users.id, personId))
        .get();
      if (!user || user.disabledAt !== null || user.passwordHash !== passwordHash) {
        throw new AppError('unauthenticated', 'Your account was just changed. Sign in again.');
      }
      insert(newSession);
      audit.insert(entry);
    },
    changePassword: (input: PasswordChange): void => {
      const isUnchanged = and(eq(users.id, input.personId), eq(users.passwordHash, input.formerHash));
      const changed = db
        .update(users)
        .set({ passwordHash: input.passwordHash })
        .where(isUnchanged)
        .returning({ disabledAt: users.disabledAt })
        .get();
      if (!changed) throw new AppError('conflict', 'The password was just changed elsewhere. Sign in again.');
      access.requireSignedIn(input.actingUser);
      if (changed.disabledAt !== null) throw credentialEndedError('session');
      endAll(input.personId);
      links.endResetLinks(input.personId);
      insert(input.session);
      audit.insert(input.audit);
    },
    end: (input: { personId: string; sessionId: string; audit: AuditRecord }): SessionRecord | null => {
      const ended = db
        .delete(sessions)
        .where(and(eq(sessions.id, input.sessionId), eq(sessions.personId, input.personId)))
        .returning(columns)
        .get();
      if (!ended) return null;
      audit.insert(input.audit);
      commitReport.rightsChanged();
      return ended;
    },
    confirm: ({ sessionId, at }: { sessionId: string; at: number }): void => {
      const confirmed = db
        .update(sessions)
        .set({ confirmedAt: at })
        .where(eq(sessions.id, sessionId))
        .returning({ id: sessions.id })
        .get();
      if (!confirmed) throw credentialEndedError('session');
    },
    prune: (now: number): void => {
      db.delete(sessions).where(lte(sessions.expiresAt, now)).run();
    },
  };
}
