import type { AuditRecord } from '../audit-store.ts';
import type { HubRecord } from '../records.ts';
import type { AuditWrites } from './audit.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import type { Db } from './engine/database.ts';
import { hubs } from './tables/hubs.table.ts';
import { memberships } from './tables/users.table.ts';

export type HubWrites = ReturnType<typeof hubWrites>;

interface HubCreation {
  hub: HubRecord;
  audit: AuditRecord;
  memberId: string;
}

/** Each function runs inside a writer transaction. */
export function hubWrites(
  db: Db,
  { audit, commitReport }: { audit: AuditWrites; commitReport: Pick<CommitReportBuilder, 'hubsChanged'> },
) {
  return {
    create: ({ hub, audit: entry, memberId }: HubCreation): void => {
      db.insert(hubs).values(hub).run();
      db.insert(memberships).values({ hubId: hub.id, personId: memberId, joinedAt: hub.createdAt }).run();
      audit.insert(entry);
      commitReport.hubsChanged();
    },
  };
}
