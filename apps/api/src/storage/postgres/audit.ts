import type { AuditAction } from '@hub/contract';
import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { cursorAtTime } from '../../core/ids.ts';
import type { PageRequest } from '../../core/paging.ts';
import type { AuditFilter, AuditRecord } from '../audit-store.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { AFTER_ALL_IDS, build, type Connection, statement } from './engine/database.ts';
import { auditEntries } from './tables/audit-entries.table.ts';

export function auditChanges(on: Connection, report: CommitReportBuilder) {
  return {
    insert: async (record: AuditRecord): Promise<void> => {
      const { actor, details, ...entry } = record;
      await on.run(insert, {
        ...entry,
        actorKind: actor.kind,
        actorId: actor.id,
        actorName: actor.name,
        details: JSON.stringify(details),
      });
      report.audited(record);
    },
  };
}

const insert = statement(
  build.insert(auditEntries).values({
    id: sql.placeholder('id'),
    at: sql.placeholder('at'),
    actorKind: sql.placeholder('actorKind'),
    actorId: sql.placeholder('actorId'),
    actorName: sql.placeholder('actorName'),
    address: sql.placeholder('address'),
    action: sql.placeholder('action'),
    hubId: sql.placeholder('hubId'),
    targetId: sql.placeholder('targetId'),
    targetName: sql.placeholder('targetName'),
    details: sql.placeholder('details'),
  }),
);

/** Maximum number of entries examined when no index serves the filter; examining them takes a few milliseconds. */
const MAX_EXAMINED = 5_000;

const before = lt(auditEntries.id, sql.placeholder('before'));
const listing = (filter?: SQL) =>
  statement(
    build
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
  matchesIfGiven('hub_id', 'hubId'),
  matchesIfGiven('actor_kind', 'actorKind'),
  matchesIfGiven('actor_id', 'actorId'),
  matchesIfGiven('action', 'action'),
);
/** The last entry that a search examines, found using only the index. */
const end = (filter?: SQL) =>
  statement(
    build
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

export function auditReads(on: Connection) {
  return {
    search: async ({ limit, before = AFTER_ALL_IDS, from, to, ...filter }: PageRequest & AuditFilter) => {
      const { hubId = null, targetId = null, actorKind = null, actorId = null, action = null } = filter;
      const { search, end } = searches[targetId !== null ? 'ofTarget' : hubId !== null ? 'ofHub' : 'all'];
      const earliest = from === undefined ? '' : cursorAt(from);
      const where = { before: to === undefined ? before : smaller(before, cursorAt(to)), hubId, targetId };
      const last = (await on.first(end, where))?.id ?? '';
      const hasMore = last > earliest;
      const first = hasMore ? last : earliest;
      const rows = await on.all(search, { ...where, actorKind, actorId, action, first, limit: limit + 1 });
      const found = rows.map(toRecord);
      const entries = found.slice(0, limit);
      if (found.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
      return { entries, next: hasMore ? last : null };
    },
  };
}

function matchesIfGiven(column: string, name: string): SQL {
  return sql`(${sql.placeholder(name)}::text is null or ${sql.identifier(column)} = ${sql.placeholder(name)})`;
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
