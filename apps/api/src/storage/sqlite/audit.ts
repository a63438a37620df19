import type { AuditAction } from '@hub/contract';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { cursorAtTime } from '../../core/ids.ts';
import type { PageRequest } from '../../core/paging.ts';
import type { AuditFilter, AuditRecord } from '../audit-store.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';
import { auditEntries } from './tables/audit-entries.table.ts';

/** Each function runs inside a transaction. */
export function auditWrites(db: Db, commitReport?: Pick<CommitReportBuilder, 'audited'>) {
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
      commitReport?.audited(record);
    },
  };
}

/** Maximum number of entries examined when no index serves the filter; examining them takes a few milliseconds. */
const MAX_EXAMINED = 5_000;

export function auditReads(db: Db) {
  const before = lt(auditEntries.id, sql.placeholder('before'));
  const listing = (filter?: SQL) =>
    prepared(db, () =>
      db
        .select()
        .from(auditEntries)
        .where(and(filter, before))
        .orderBy(desc(auditEntries.id))
        .limit(sql.placeholder('limit')),
    );
  const ofHub = eq(auditEntries.hubId, sql.placeholder('hubId'));
  const ofTarget = eq(auditEntries.targetId, sql.placeholder('targetId'));
  const matchesFilter = and(
    gte(auditEntries.id, sql.placeholder('first')),
    matchesIfGiven(auditEntries.hubId, 'hubId'),
    matchesIfGiven(auditEntries.actorKind, 'actorKind'),
    matchesIfGiven(auditEntries.actorId, 'actorId'),
    matchesIfGiven(auditEntries.action, 'action'),
  );
  /** The last entry that a search examines, found using only the index. */
  const end = (filter?: SQL) =>
    prepared(db, () =>
      db
        .select({ id: auditEntries.id })
        .from(auditEntries)
        .where(and(filter, before))
        .orderBy(desc(auditEntries.id))
        .limit(1)
        .offset(MAX_EXAMINED - 1),
    );
  /** The searches, each with an index for its filter; the narrowest one that applies is used. */
  const searches = {
    all: { search: listing(matchesFilter), end: end() },
    ofHub: { search: listing(and(ofHub, matchesFilter)), end: end(ofHub) },
    ofTarget: { search: listing(and(ofTarget, matchesFilter)), end: end(ofTarget) },
  };

  return {
    search: ({ limit, before = AFTER_ALL_IDS, from, to, ...filter }: PageRequest & AuditFilter) => {
      const { hubId = null, targetId = null, actorKind = null, actorId = null, action = null } = filter;
      const { search, end } = searches[targetId !== null ? 'ofTarget' : hubId !== null ? 'ofHub' : 'all'];
      const earliest = from === undefined ? '' : cursorAt(from);
      const where = { before: to === undefined ? before : smaller(before, cursorAt(to)), hubId, targetId };
      const last = end.get(where)?.id ?? '';
      const hasMore = last > earliest;
      const first = hasMore ? last : earliest;
      const found = search.all({ ...where, actorKind, actorId, action, first, limit: limit + 1 }).map(toRecord);
      const entries = found.slice(0, limit);
      if (found.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
      return { entries, next: hasMore ? last : null };
    },
  };
}

function matchesIfGiven(column: SQLiteColumn, name: string): SQL {
  return sql`(${sql.placeholder(name)} is null or ${column} = ${sql.placeholder(name)})`;
}

/** Ids rise with time, so the log needs no index by time. */
function cursorAt(time: number): string {
  return cursorAtTime(Math.max(0, time), 'before', 'aud');
}

function smaller(one: string, other: string): string {
  return one < other ? one : other;
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
