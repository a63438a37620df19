import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditAction, AuditFilter, AuditRecord, PageRequest } from '../store.ts';
import { AFTER_ALL_IDS, type Db } from './database.ts';
import { auditEntries } from './tables/audit-entries.table.ts';

export type AuditWrites = ReturnType<typeof auditWrites>;

/** `onEntry` is told of each entry, in the transaction that writes it. */
export function auditWrites(db: Db, onEntry: (entry: AuditRecord) => void = () => {}) {
  return {
    insert: (record: AuditRecord): void => {
      const { actor, details, ...entry } = record;
      db.insert(auditEntries)
        .values({
          ...entry,
          actorKind: actor.kind,
          actorId: actor.id,
          actorName: actor.name,
          details: JSON.stringify(details),
        })
        .run();
      onEntry(record);
    },
  };
}

/** So many entries are looked at for those that no index finds: a few milliseconds. */
const LOOK_AT = 5_000;

export function auditReads(db: Db) {
  const before = lt(auditEntries.id, sql.placeholder('before'));
  const listing = (filter?: SQL) =>
    db
      .select()
      .from(auditEntries)
      .where(and(filter, before))
      .orderBy(desc(auditEntries.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const ofHub = eq(auditEntries.hubId, sql.placeholder('hubId'));
  const isAskedFor = and(
    gte(auditEntries.id, sql.placeholder('from')),
    sql`(${sql.placeholder('actorId')} is null or ${auditEntries.actorId} = ${sql.placeholder('actorId')})`,
    sql`(${sql.placeholder('targetId')} is null or ${auditEntries.targetId} = ${sql.placeholder('targetId')})`,
    sql`(${sql.placeholder('action')} is null or ${auditEntries.action} = ${sql.placeholder('action')})`,
  );
  /** The last of the entries that one search looks at, found in the index alone. */
  const end = (filter?: SQL) =>
    db
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(filter, before))
      .orderBy(desc(auditEntries.id))
      .limit(1)
      .offset(LOOK_AT - 1)
      .prepare();
  const all = { list: listing(), search: listing(isAskedFor), end: end() };
  const some = { list: listing(ofHub), search: listing(and(ofHub, isAskedFor)), end: end(ofHub) };

  return {
    list: ({ limit, before = AFTER_ALL_IDS, hubId }: PageRequest & { hubId?: string | undefined }): AuditRecord[] =>
      (hubId === undefined ? all.list.all({ limit, before }) : some.list.all({ limit, before, hubId })).map(toRecord),
    search: ({ limit, before = AFTER_ALL_IDS, hubId, actorId, targetId, action }: PageRequest & AuditFilter) => {
      const statements = hubId === undefined ? all : some;
      const where = { before, ...(hubId === undefined ? {} : { hubId }) };
      const last = statements.end.get(where)?.id;
      const filter = { actorId: actorId ?? null, targetId: targetId ?? null, action: action ?? null, from: last ?? '' };
      const found = statements.search.all({ ...where, ...filter, limit: limit + 1 }).map(toRecord);
      const entries = found.slice(0, limit);
      return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : (last ?? null) };
    },
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
