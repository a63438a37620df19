import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report-builder.ts';
import { hubCountReads } from './counts.ts';
import { AFTER_ALL_IDS, build, type Connection, insertInto, query, updatesOf } from './engine/query.ts';
import { hubs } from './schema/hubs.table.ts';
import { memberships } from './schema/users.table.ts';

export interface HubRecord {
  id: string;
  name: string;
  /** The name as `normalizeName` returns it, which is unique among live Hubs. */
  normalizedName: string;
  conversationId: string;
  notesBucketId: string;
  todosBucketId: string;
  createdAt: number;
  deletedAt: number | null;
  retentionDays: number | null;
}

/** A Hub with the sequence number of its newest event. */
export interface HubListing extends HubRecord {
  seq: number;
}

export type HubChanges = Partial<Pick<HubRecord, 'name' | 'normalizedName' | 'retentionDays' | 'deletedAt'>>;

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
const isOfId = eq(hubs.id, sql.placeholder('hubId'));
const find = query(() => build.select(columns).from(hubs).where(isOfId));
const findByName = query(() =>
  build
    .select(columns)
    .from(hubs)
    .where(and(eq(hubs.normalizedName, sql.placeholder('normalizedName')), isNull(hubs.deletedAt))),
);
const listing = (filter?: SQL) => ({
  all: query(() =>
    build
      .select(columns)
      .from(hubs)
      .where(and(filter, lt(hubs.id, sql.placeholder('before'))))
      .orderBy(desc(hubs.id))
      .limit(sql.placeholder('limit')),
  ),
  ofMember: query(() =>
    build
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
  ),
});
const lists = { live: listing(isNull(hubs.deletedAt)), deleted: listing(isNotNull(hubs.deletedAt)), all: listing() };

export type HubFilter = keyof typeof lists;
export type HubReads = ReturnType<typeof hubReads>;

export function hubReads(on: Connection) {
  return {
    ...hubCountReads(on),
    find: async (hubId: string): Promise<HubListing | null> => (await on.first(find, { hubId })) ?? null,
    /** Returns the live Hub with this normalized name. */
    findByName: async (normalizedName: string): Promise<HubListing | null> =>
      (await on.first(findByName, { normalizedName })) ?? null,
    /** `memberId`: only the Hubs that this user is a member of. */
    list: async ({
      filter,
      limit,
      before = AFTER_ALL_IDS,
      memberId,
    }: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]> =>
      memberId === undefined
        ? on.all(lists[filter].all, { limit, before })
        : on.all(lists[filter].ofMember, { limit, before, memberId }),
  };
}

const insert = insertInto(hubs, [
  'id',
  'name',
  'normalizedName',
  'conversationId',
  'notesBucketId',
  'todosBucketId',
  'createdAt',
  'deletedAt',
  'retentionDays',
]);
const updates = updatesOf(hubs, isOfId);

/**
 * The lists of Hubs of all users may change with any change. Everything that happens in a Hub takes a number from its row,
 * so a transaction that finds a Hub by its id holds the row.
 */
export function hubChanges(on: Connection, report: Pick<CommitReportBuilder, 'hubsChanged'>) {
  return {
    ...hubReads(on),
    find: async (hubId: string): Promise<HubListing | null> => (await on.lock(find, { hubId })) ?? null,
    insert: async (hub: HubRecord): Promise<void> => {
      await on.run(insert, { ...hub });
      report.hubsChanged();
    },
    update: async (hubId: string, changes: HubChanges): Promise<void> => {
      await on.run(updates(changes), { hubId, ...changes });
      report.hubsChanged();
    },
  };
}
