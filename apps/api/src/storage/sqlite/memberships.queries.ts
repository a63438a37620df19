import { perKind } from '@hub/contract';
import { and, eq, isNull } from 'drizzle-orm';
import type { AuditRecord } from '../audit-store.ts';
import type { UserRecord } from '../users-store.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { membershipChanges, rankReads } from './memberships.ts';
import { hubs } from './tables/hubs.table.ts';

interface MembershipWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  commitReport: CommitReportBuilder;
}

export type MembershipWrites = ReturnType<typeof membershipWrites>;

/** Each function runs inside a writer transaction. */
export function membershipWrites(db: Db, { audit, events, commitReport }: MembershipWriteDeps) {
  const rows = membershipChanges(db, commitReport);
  const { newestRank } = rankReads(db);
  return {
    /** Adds a new user to a Hub, unless it is deleted. */
    add: ({ hubId, user, audit: entry }: { hubId: string; user: UserRecord; audit: AuditRecord }): void => {
      const { id: personId, name, createdAt: at } = user;
      const live = and(eq(hubs.id, hubId), isNull(hubs.deletedAt));
      if (!db.select({ id: hubs.id }).from(hubs).where(live).get()) return;
      const data = { id: personId, name };
      const seq = events.append({ hubId, at, event: 'member.added', itemId: null, data })?.seq ?? 0;
      audit.insert(entry);
      const rank = newestRank();
      rows.insert({ hubId, personId, joinedAt: at, readSeqs: perKind(() => seq), readRanks: perKind(() => rank) });
    },
  };
}
