import type { Actor, AuditAction } from '@hub/contract';
import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { cursorAtTime } from '../platform/ids.ts';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { AFTER_ALL_IDS, columnsWithout, given, json, matchesIfGiven, page, rawQuery } from './engine/query.ts';
import { insertInto } from './engine/write.ts';
import { actorKind } from './schema/column-types.ts';

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

/** The server itself, when it acts without a request from a caller. */
export const SERVER: Actor = { kind: 'server', id: null, name: 'server' };

export interface AuditFilter {
  hubId?: string | undefined;
  targetId?: string | undefined;
  actorKind?: Actor['kind'] | undefined;
  actorId?: string | undefined;
  action?: AuditAction | undefined;
  /** Milliseconds since 1970, inclusive. */
  from?: number | undefined;
  /** Milliseconds since 1970, exclusive. */
  to?: number | undefined;
}

/** Maximum number of entries examined when no index serves the filter; examining them takes a few milliseconds. */
const MAX_EXAMINED = 5_000;

const columns = {
  ...columnsWithout(auditEntries, 'actorKind', 'actorId', 'actorName'),
  actor: { kind: auditEntries.actorKind, id: auditEntries.actorId, name: auditEntries.actorName },
  details: json<Record<string, unknown>>(auditEntries.details),
};
const matchesFilter = and(
  gte(auditEntries.id, given('first')),
  matchesIfGiven(auditEntries.hubId, 'hubId'),
  matchesIfGiven(auditEntries.actorKind, 'actorKind'),
  matchesIfGiven(auditEntries.actorId, 'actorId'),
  matchesIfGiven(auditEntries.action, 'action'),
);
const searchIn = (indexed?: SQL) => ({
  search: page(columns, auditEntries.id, and(indexed, matchesFilter)),
  lastExamined: rawQuery(
    sql`select id from ${auditEntries} where ${and(indexed, lt(auditEntries.id, given('before')))}
      order by id desc limit 1 offset ${sql.raw(String(MAX_EXAMINED - 1))}`,
    ([id]) => String(id),
  ),
});
const searches = {
  all: searchIn(),
  ofHub: searchIn(eq(auditEntries.hubId, given('hubId'))),
  ofTarget: searchIn(eq(auditEntries.targetId, given('targetId'))),
};

export type AuditRecord = RowOf<typeof searches.all.search>;

export function auditReads(on: Connection) {
  return {
    /** Newest first. Few entries are examined: a page can have fewer than `limit`, or none, and still a `next`. */
    search: async (page: PageRequest & AuditFilter): Promise<{ entries: AuditRecord[]; next: string | null }> => {
      const { limit, before = AFTER_ALL_IDS, from, to, ...filter } = page;
      const { hubId = null, targetId = null, actorKind = null, actorId = null, action = null } = filter;
      const { search, lastExamined } = searches[targetId !== null ? 'ofTarget' : hubId !== null ? 'ofHub' : 'all'];
      const earliest = from === undefined ? '' : cursorAt(from);
      const isEarlier = to !== undefined && cursorAt(to) < before;
      const where = { before: isEarlier ? cursorAt(to) : before, hubId, targetId };
      const last = (await on.first(lastExamined, where)) ?? '';
      const hasMore = last > earliest;
      const first = hasMore ? last : earliest;
      const rows = await on.all(search, { ...where, actorKind, actorId, action, first, limit: limit + 1 });
      const entries = rows.slice(0, limit);
      if (rows.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
      return { entries, next: hasMore ? last : null };
    },
  };
}

/** Ids rise with time, so the log needs no index by time. */
const cursorAt = (time: number): string => cursorAtTime(Math.max(0, time), 'before', 'aud');

const insert = insertInto(auditEntries);

/** Writes an entry that no follower hears of, such as while a database is opened. */
export function insertEntry(on: Connection, { actor, details, ...entry }: AuditRecord) {
  const { kind: actorKind, id: actorId, name: actorName } = actor;
  return on.run(insert, { ...entry, actorKind, actorId, actorName, details: JSON.stringify(details) });
}

export function auditChanges(on: Connection, report: CommitReportBuilder) {
  return {
    insert: async (record: AuditRecord): Promise<void> => {
      await insertEntry(on, record);
      report.audited(record);
    },
  };
}
