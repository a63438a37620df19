import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import { hubCountReads } from './counts.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { AFTER_ALL_IDS, columnsWithout, given, page, select } from './engine/query.ts';
import { insertInto, updatesOf } from './engine/write.ts';
import { hubs } from './schema/hubs.table.ts';
import { memberships } from './schema/users.table.ts';

const columns = columnsWithout(hubs, 'number', 'itemCount');
const isOfId = eq(hubs.id, given('hubId'));
const find = select(columns, hubs, isOfId);
const findByName = select(columns, hubs, and(eq(hubs.normalizedName, given('normalizedName')), isNull(hubs.deletedAt)));
const listing = (filter?: SQL) => ({
  all: page(columns, hubs.id, filter),
  ofMember: page(columns, memberships.hubId, and(eq(memberships.userId, given('memberId')), filter), [
    [hubs, eq(hubs.id, memberships.hubId)],
  ]),
});
const lists = { live: listing(isNull(hubs.deletedAt)), deleted: listing(isNotNull(hubs.deletedAt)), all: listing() };

/** A Hub with the sequence number of its newest event. */
export type HubListing = RowOf<typeof find>;
export type HubRecord = Omit<HubListing, 'seq'>;
export type HubChanges = Partial<Pick<HubRecord, 'name' | 'normalizedName' | 'topic' | 'retentionDays' | 'deletedAt'>>;
export type HubFilter = keyof typeof lists;

/** Whatever happens in a Hub takes a number from its row, so a transaction that finds a Hub by its id holds the row. */
export function hubReads(on: Connection) {
  return {
    ...hubCountReads(on),
    find: async (hubId: string) => (await on.lock(find, { hubId })) ?? null,
    findByName: async (normalizedName: string) => (await on.first(findByName, { normalizedName })) ?? null,
    list: async (wanted: PageRequest & { filter: HubFilter; memberId?: string | undefined }): Promise<HubListing[]> => {
      const { filter, limit, before = AFTER_ALL_IDS, memberId } = wanted;
      return on.all(lists[filter][memberId === undefined ? 'all' : 'ofMember'], { limit, before, memberId });
    },
  };
}

const { seq: _seq, ...inserted } = columns;
const insert = insertInto(hubs, { columns: Object.keys(inserted) as (keyof typeof inserted)[] });
const updates = updatesOf(hubs, isOfId);

export function hubChanges(
  on: Connection,
  report: Pick<CommitReportBuilder, 'hubsChanged'>,
  keysChanged: () => void = () => {},
) {
  return {
    ...hubReads(on),
    insert: async (hub: HubRecord): Promise<void> => {
      await on.run(insert, hub);
      report.hubsChanged();
    },
    update: async (hubId: string, changes: HubChanges): Promise<void> => {
      // The keys of a deleted Hub are not accepted.
      if (changes.deletedAt !== undefined) keysChanged();
      await on.run(updates(changes), { hubId, ...changes });
      report.hubsChanged();
    },
  };
}
