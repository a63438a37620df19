import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditAction, AuditRecord, PageRequest } from '../store.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
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
  const listing = (filter?: SQL) =>
    db
      .select()
      .from(auditEntries)
      .where(and(filter, lt(auditEntries.id, sql.placeholder('before'))))
      .orderBy(desc(auditEntries.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const listAll = listing();
  const listOfHub = listing(eq(auditEntries.hubId, sql.placeholder('hubId')));

  return {
    list: ({ limit, before = AFTER_ALL_IDS, hubId }: PageRequest & { hubId?: string | undefined }): AuditRecord[] =>
      (hubId === undefined ? listAll.all({ limit, before }) : listOfHub.all({ limit, before, hubId })).map(toRecord),
  };
}

const toRecord = ({
  actorKind,
  actorId,
  actorName,
  details,
  action,
  ...entry
}: typeof auditEntries.$inferSelect): AuditRecord => ({
  ...entry,
  action: action as AuditAction,
  actor: { kind: actorKind, id: actorId, name: actorName },
  details: JSON.parse(details) as Record<string, unknown>,
});
