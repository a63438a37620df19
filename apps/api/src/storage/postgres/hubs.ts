import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { PageRequest } from '../../core/paging.ts';
import type { CommitReportBuilder } from '../commit-report-builder.ts';
import { AFTER_ALL_IDS } from '../engine/query.ts';
import type { HubChanges, HubFilter, HubListing, HubRecord } from '../hub-store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

/** Looks up the number by which items and events refer to the Hub of the placeholder `hubId`. */
export const hubNumber = sql`(select number from hubs where id = ${sql.placeholder('hubId')})`;

/** Looks up the id of the Hub of an item. */
export const hubIdOfItem = sql<string>`(select id from hubs where number = ${items.hubNumber})`;

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

const byId = () =>
  build
    .select(columns)
    .from(hubs)
    .where(eq(hubs.id, sql.placeholder('id')));
const find = statement(byId());
const findLocked = statement(byId().for('no key update'));

const findByName = statement(
  build
    .select(columns)
    .from(hubs)
    .where(and(eq(hubs.normalizedName, sql.placeholder('normalizedName')), isNull(hubs.deletedAt))),
);

const listing = (filter?: SQL) =>
  statement(
    build
      .select(columns)
      .from(hubs)
      .where(and(filter, lt(hubs.id, sql.placeholder('before'))))
      .orderBy(desc(hubs.id))
      .limit(sql.placeholder('limit')),
  );
const listingOfMember = (filter?: SQL) =>
  statement(
    build
      .select(columns)
      .from(memberships)
      .innerJoin(hubs, eq(hubs.id, memberships.hubId))
      .where(and(eq(memberships.userId, sql.placeholder('memberId')), lt(hubs.id, sql.placeholder('before')), filter))
      .orderBy(desc(hubs.id))
      .limit(sql.placeholder('limit')),
  );
const filters = { live: isNull(hubs.deletedAt), deleted: isNotNull(hubs.deletedAt), all: undefined } as const;
const lists = { live: listing(filters.live), deleted: listing(filters.deleted), all: listing() };
const listsOfMember = {
  live: listingOfMember(filters.live),
  deleted: listingOfMember(filters.deleted),
  all: listingOfMember(),
};

export function hubReads(on: Connection) {
  return {
    find: async (id: string): Promise<HubListing | null> => (await on.first(find, { id })) ?? null,
    findByName: async (normalizedName: string): Promise<HubListing | null> =>
      (await on.first(findByName, { normalizedName })) ?? null,
    list: ({
      filter,
      limit,
      before = AFTER_ALL_IDS,
      memberId,
    }: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]> =>
      memberId === undefined
        ? on.all(lists[filter], { limit, before })
        : on.all(listsOfMember[filter], { limit, before, memberId }),
  };
}

/** Everything that happens in a Hub takes a number from its row. A transaction that reads a Hub holds its row. */
export function hubChanges(on: Connection, report: CommitReportBuilder) {
  return {
    find: async (id: string): Promise<HubListing | null> => (await on.first(findLocked, { id })) ?? null,
    insert: async (hub: HubRecord): Promise<void> => {
      await on.run(statement(build.insert(hubs).values(hub)));
      report.hubsChanged();
    },
    update: async (hubId: string, changes: HubChanges): Promise<void> => {
      await on.run(statement(build.update(hubs).set(changes).where(eq(hubs.id, hubId))));
      report.hubsChanged();
    },
  };
}
