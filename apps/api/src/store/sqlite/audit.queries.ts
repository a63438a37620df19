import { and, desc, eq, lt } from 'drizzle-orm';
import type { AuditAction, AuditRecord, PageRequest } from '../store.ts';
import type { Db } from './database.ts';
import { auditEntries } from './tables/audit-entries.table.ts';

export type AuditWrites = ReturnType<typeof auditWrites>;

export function auditWrites(db: Db) {
  return {
    insert: ({ actor, details, ...entry }: AuditRecord): void => {
      db.insert(auditEntries)
        .values({
          ...entry,
          actorKind: actor.kind,
          actorId: actor.id,
          actorName: actor.name,
          details: JSON.stringify(details),
        })
        .run();
    },
  };
}

export function auditReads(db: Db) {
  return {
    list: (page: PageRequest & { hubId?: string | undefined }): AuditRecord[] =>
      db
        .select()
        .from(auditEntries)
        .where(
          and(
            page.hubId === undefined ? undefined : eq(auditEntries.hubId, page.hubId),
            page.before === undefined ? undefined : lt(auditEntries.id, page.before),
          ),
        )
        .orderBy(desc(auditEntries.id))
        .limit(page.limit)
        .all()
        .map(({ actorKind, actorId, actorName, details, action, ...entry }) => ({
          ...entry,
          action: action as AuditAction,
          actor: { kind: actorKind, id: actorId, name: actorName },
          details: JSON.parse(details) as Record<string, unknown>,
        })),
  };
}
