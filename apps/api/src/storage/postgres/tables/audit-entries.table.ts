import { index, pgTable } from 'drizzle-orm/pg-core';
import { integer, text } from './columns.ts';

export const auditEntries = pgTable(
  'audit_entries',
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    actorKind: text().$type<'local' | 'user' | 'key' | 'server'>().notNull(),
    actorId: text(),
    actorName: text().notNull(),
    address: text(),
    action: text().notNull(),
    hubId: text(),
    targetId: text(),
    targetName: text(),
    /** JSON object. */
    details: text().notNull(),
  },
  (entry) => [
    index('audit_entries_by_hub').on(entry.hubId, entry.id),
    index('audit_entries_by_target').on(entry.targetId, entry.id),
  ],
);
