import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { placeAtTime } from '../../ids.ts';
import type { AuditAction, AuditFilter, AuditRecord } from '../audit-store.ts';
import type { PageRequest } from '../store.ts';
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
  const ofTarget = eq(auditEntries.targetId, sql.placeholder('targetId'));
  const isAskedFor = and(
    gte(auditEntries.id, sql.placeholder('first')),
    isIfAsked(auditEntries.hubId, 'hubId'),
    isIfAsked(auditEntries.actorKind, 'actorKind'),
    isIfAsked(auditEntries.actorId, 'actorId'),
    isIfAsked(auditEntries.action, 'action'),
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
  const list = { all: listing(), ofHub: listing(ofHub) };
  /** By the narrowest index that there is for what was asked. */
  const searches = {
    all: { search: listing(isAskedFor), end: end() },
    ofHub: { search: listing(and(ofHub, isAskedFor)), end: end(ofHub) },
    ofTarget: { search: listing(and(ofTarget, isAskedFor)), end: end(ofTarget) },
  };

  return {
    list: ({ limit, before = AFTER_ALL_IDS, hubId }: PageRequest & { hubId?: string | undefined }): AuditRecord[] =>
      (hubId === undefined ? list.all.all({ limit, before }) : list.ofHub.all({ limit, before, hubId })).map(toRecord),
    search: ({ limit, before = AFTER_ALL_IDS, from, to, ...filter }: PageRequest & AuditFilter) => {
      const { hubId = null, targetId = null, actorKind = null, actorId = null, action = null } = filter;
      const { search, end } = searches[targetId !== null ? 'ofTarget' : hubId !== null ? 'ofHub' : 'all'];
      const earliest = from === undefined ? '' : placeOf(from);
      const where = { before: to === undefined ? before : least(before, placeOf(to)), hubId, targetId };
      const last = end.get(where)?.id ?? '';
      const goesOn = last > earliest;
      const first = goesOn ? last : earliest;
      const found = search.all({ ...where, actorKind, actorId, action, first, limit: limit + 1 }).map(toRecord);
      const entries = found.slice(0, limit);
      if (found.length > limit) return { entries, next: entries.at(-1)?.id ?? null };
      return { entries, next: goesOn ? last : null };
    },
  };
}

function isIfAsked(column: SQLiteColumn, name: string): SQL {
  return sql`(${sql.placeholder(name)} is null or ${column} = ${sql.placeholder(name)})`;
}

/** Ids rise with time, so the log needs no index of its times. */
function placeOf(time: number): string {
  return placeAtTime(Math.max(0, time), 'before', 'aud');
}

function least(one: string, other: string): string {
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
