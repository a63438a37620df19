import { ACCOUNT_DISABLED, LIMITS } from '@hub/contract';
import { and, count, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { AppError } from '../../errors.ts';
import type { UserAction } from '../acting-user.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { PageRequest } from '../records.ts';
import type { PersonalTokenRecord } from '../users-store.ts';
import type { AccessChecks } from './access-checks.queries.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { personalTokens, users } from './tables/users.table.ts';

const columns = {
  id: personalTokens.id,
  personId: personalTokens.personId,
  name: personalTokens.name,
  lastFour: personalTokens.lastFour,
  createdAt: personalTokens.createdAt,
  expiresAt: personalTokens.expiresAt,
  lastUsedAt: personalTokens.lastUsedAt,
  lastUsedAddress: personalTokens.lastUsedAddress,
};

export function tokenReads(db: Db) {
  const list = db
    .select(columns)
    .from(personalTokens)
    .where(
      and(eq(personalTokens.personId, sql.placeholder('personId')), lt(personalTokens.id, sql.placeholder('before'))),
    )
    .orderBy(desc(personalTokens.id))
    .limit(sql.placeholder('limit'))
    .prepare();
  return {
    list: ({ before = AFTER_ALL_IDS, ...page }: PageRequest & { personId: string }): PersonalTokenRecord[] =>
      list.all({ ...page, before }),
  };
}

interface TokenWriteDeps {
  audit: AuditWrites;
  commitReport: CommitReportBuilder;
  access: AccessChecks;
}

/** Each function runs inside a writer transaction. */
export function tokenWrites(db: Db, { audit, commitReport, access }: TokenWriteDeps) {
  return {
    create: (input: UserAction & { token: PersonalTokenRecord; tokenHash: Uint8Array; audit: AuditRecord }): void => {
      access.requireSignedIn(input.actingUser);
      const active = db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, input.token.personId), isNull(users.disabledAt)))
        .get();
      if (!active) throw new AppError('unauthenticated', ACCOUNT_DISABLED);
      const { personId, createdAt } = input.token;
      const isValid = or(isNull(personalTokens.expiresAt), gt(personalTokens.expiresAt, createdAt));
      const valid = db
        .select({ count: count() })
        .from(personalTokens)
        .where(and(eq(personalTokens.personId, personId), isValid))
        .get();
      if (valid && valid.count >= LIMITS.accessTokens) {
        const limit = `You have ${LIMITS.accessTokens} access tokens, the maximum per user.`;
        throw new AppError('conflict', `${limit} Revoke one that you no longer use.`);
      }
      db.insert(personalTokens)
        .values({ ...input.token, tokenHash: Buffer.from(input.tokenHash) })
        .run();
      audit.insert(input.audit);
    },
    revoke: (input: { personId: string; tokenId: string; audit: AuditRecord }): PersonalTokenRecord | null => {
      const revoked = db
        .delete(personalTokens)
        .where(and(eq(personalTokens.id, input.tokenId), eq(personalTokens.personId, input.personId)))
        .returning(columns)
        .get();
      if (!revoked) return null;
      audit.insert(input.audit);
      commitReport.rightsChanged();
      return revoked;
    },
  };
}
