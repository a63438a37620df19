import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { AuditRecord } from '../audit-store.ts';
import type { HubRecord, PageRequest } from '../records.ts';
import type { HubChange, HubFilter, HubListing } from '../store.ts';
import type { AuditWrites } from './audit.queries.ts';
import type { CommitReportBuilder } from './engine/commit-report-builder.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import type { EventWrites } from './events.queries.ts';
import { hubs } from './tables/hubs.table.ts';
import { memberships } from './tables/users.table.ts';

const columns = {
  id: hubs.id,
  name: hubs.name,
  conversationId: hubs.conversationId,
  notesBucketId: hubs.notesBucketId,
  todosBucketId: hubs.todosBucketId,
  createdAt: hubs.createdAt,
  deletedAt: hubs.deletedAt,
  retentionDays: hubs.retentionDays,
  seq: hubs.seq,
};

export function hubReads(db: Db) {
  const find = db
    .select(columns)
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('id')))
    .prepare();
  const listing = (filter?: SQL) =>
    db
      .select(columns)
      .from(hubs)
      .where(and(filter, lt(hubs.id, sql.placeholder('before'))))
      .orderBy(desc(hubs.id))
      .limit(sql.placeholder('limit'))
      .prepare();
  const listingOf = (filter?: SQL) =>
    db
      .select(columns)
      .from(memberships)
      .innerJoin(hubs, eq(hubs.id, memberships.hubId))
      .where(
        and(
          eq(memberships.personId, sql.placeholder('memberId')),
          lt(memberships.hubId, sql.placeholder('before')),
          filter,
        ),
      )
      .orderBy(desc(memberships.hubId))
      .limit(sql.placeholder('limit'))
      .prepare();
  const lists = {
    live: listing(isNull(hubs.deletedAt)),
    deleted: listing(isNotNull(hubs.deletedAt)),
    all: listing(),
  } as const;
  const listsOfMember = {
    live: listingOf(isNull(hubs.deletedAt)),
    deleted: listingOf(isNotNull(hubs.deletedAt)),
    all: listingOf(),
  } as const;

  return {
    find: (id: string): HubListing | null => find.get({ id }) ?? null,
    list: ({
      filter,
      limit,
      before = AFTER_ALL_IDS,
      memberId,
    }: PageRequest & { filter: HubFilter; memberId?: string | undefined }): HubListing[] =>
      memberId === undefined
        ? lists[filter].all({ limit, before })
        : listsOfMember[filter].all({ limit, before, memberId }),
  };
}

interface HubWriteDeps {
  audit: AuditWrites;
  events: EventWrites;
  commitReport: CommitReportBuilder;
}

export type HubWrites = ReturnType<typeof hubWrites>;

/** Each function runs inside a writer transaction. */
export function hubWrites(db: Db, { audit, events, commitReport }: HubWriteDeps) {
  const reads = hubReads(db);

  const change = (
    { hubId, audit: entry }: HubChange,
    event: string,
    applies: (hub: HubRecord) => boolean,
    values: Partial<Pick<HubRecord, 'name' | 'retentionDays' | 'deletedAt'>>,
  ): HubListing | null => {
    const hub = reads.find(hubId);
    if (!hub || !applies(hub)) return hub;
    const changed = { ...hub, ...values };
    db.update(hubs).set(values).where(eq(hubs.id, hubId)).run();
    const data =
      event === 'hub.changed' ? { name: changed.name, retentionDays: changed.retentionDays } : { name: changed.name };
    const seq = events.append({ hubId, at: entry.at, event, itemId: null, data })?.seq ?? hub.seq;
    audit.insert(entry);
    // The name is shown in the members' lists of Hubs, and whether the Hub is deleted decides who may read it.
    commitReport.hubsChanged();
    return { ...changed, seq };
  };

  return {
    create: ({
      hub,
      audit: entry,
      memberId = null,
    }: {
      hub: HubRecord;
      audit: AuditRecord;
      memberId?: string | null;
    }): HubListing => {
      db.insert(hubs).values(hub).run();
      if (memberId !== null) {
        db.insert(memberships).values({ hubId: hub.id, personId: memberId, joinedAt: hub.createdAt }).run();
      }
      audit.insert(entry);
      commitReport.hubsChanged();
      return { ...hub, seq: 0 };
    },
    change: ({ name, retentionDays, ...input }: HubChange & { name?: string; retentionDays?: number | null }) =>
      change(
        input,
        'hub.changed',
        (hub) =>
          (name !== undefined && name !== hub.name) ||
          (retentionDays !== undefined && retentionDays !== hub.retentionDays),
        { ...(name === undefined ? {} : { name }), ...(retentionDays === undefined ? {} : { retentionDays }) },
      ),
    delete: (input: HubChange) =>
      change(input, 'hub.deleted', (hub) => hub.deletedAt === null, { deletedAt: input.audit.at }),
    restore: (input: HubChange) => change(input, 'hub.restored', (hub) => hub.deletedAt !== null, { deletedAt: null }),
    recordExport: ({ hubId, audit: entry }: HubChange): HubListing | null => {
      const hub = reads.find(hubId);
      if (hub) audit.insert(entry);
      return hub;
    },
  };
}
