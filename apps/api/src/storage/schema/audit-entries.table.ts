import type { AuditAction } from '@hub/contract';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { actorKind } from './column-types.ts';

export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    actorKind: actorKind(),
    actorId: text(),
    actorName: text().notNull(),
    address: text(),
    action: text().$type<AuditAction>().notNull(),
    hubId: text(),
    targetId: text(),
    targetName: text(),
    details: text().notNull(),
  },
  (entry) => [
    index('audit_entries_by_hub').on(entry.hubId, entry.id),
    index('audit_entries_by_target').on(entry.targetId, entry.id),
  ],
);
