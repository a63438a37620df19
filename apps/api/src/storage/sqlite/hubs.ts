import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import type { HubChanges, HubFilter, HubListing, HubRecord } from '../hub-store.ts';
import { hubs } from '../schema/hubs.table.ts';
import { memberships } from '../schema/users.table.ts';
import type { CredentialCache } from './credential-cache.ts';
import { AFTER_ALL_IDS, type Db } from './engine/database.ts';
import { prepared } from './engine/statements.ts';

const columns = {
  id: hubs.id,
  name: hubs.name,
  normalizedName: hubs.normalizedName,
  conversationId: hubs.conversationId,
  notesBucketId: hubs.notesBucketId,
  todosBucketId: hubs.todosBucketId,
  createdAt: hubs.createdAt,
  deletedAt: hubs.deletedAt,
  retentionDays: hubs.retentionDays,
  seq: hubs.seq,
};

export function hubReads(db: Db) {
  const find = prepared(db, () =>
    db
      .select(columns)
      .from(hubs)
      .where(eq(hubs.id, sql.placeholder('id'))),
  );
  const findByName = prepared(db, () =>
    db
      .select(columns)
      .from(hubs)
      .where(and(eq(hubs.normalizedName, sql.placeholder('normalizedName')), isNull(hubs.deletedAt))),
  );
  const listing = (filter?: SQL) =>
    prepared(db, () =>
      db
        .select(columns)
        .from(hubs)
        .where(and(filter, lt(hubs.id, sql.placeholder('before'))))
        .orderBy(desc(hubs.id))
        .limit(sql.placeholder('limit')),
    );
  const listingOf = (filter?: SQL) =>
    prepared(db, () =>
      db
        .select(columns)
        .from(memberships)
        .innerJoin(hubs, eq(hubs.id, memberships.hubId))
        .where(
          and(
            eq(memberships.userId, sql.placeholder('memberId')),
            lt(memberships.hubId, sql.placeholder('before')),
            filter,
          ),
        )
        .orderBy(desc(memberships.hubId))
        .limit(sql.placeholder('limit')),
    );
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
    findByName: (normalizedName: string): HubListing | null => findByName.get({ normalizedName }) ?? null,
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

interface HubChangeDeps {
  commitReport: Pick<CommitReportBuilder, 'hubsChanged'>;
  credentials: Pick<CredentialCache, 'invalidate'>;
}

/** Each function runs inside a transaction. The lists of Hubs of all users may change with any of them. */
export function hubChanges(db: Db, { commitReport, credentials }: HubChangeDeps) {
  return {
    insert: (hub: HubRecord): void => {
      db.insert(hubs).values(hub).run();
      commitReport.hubsChanged();
    },
    update: (hubId: string, changes: HubChanges): void => {
      // The keys of a deleted Hub are not accepted.
      if (changes.deletedAt !== undefined) credentials.invalidate();
      db.update(hubs).set(changes).where(eq(hubs.id, hubId)).run();
      commitReport.hubsChanged();
    },
  };
}
