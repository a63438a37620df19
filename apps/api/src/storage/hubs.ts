import { and, count, eq, gt, isNotNull, isNull, or, type SQL, sql, sum } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { PageRequest } from '../platform/paging.ts';
import type { CommitReportBuilder } from './commit-report.ts';
import type { Connection, RowOf } from './engine/connection.ts';
import { AFTER_ALL_IDS, columnsWithout, given, page, rawQuery, select } from './engine/query.ts';
import { insertInto, updatesOf } from './engine/write.ts';
import { hubNumber, isListed } from './items.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
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

/** Maximum number of to-dos examined to count the open ones, newest first: a Hub may have very many completed ones. */
const MAX_EXAMINED = 5_000;

/** Maximum number of items of each kind examined, oldest first, to count those past a retention period. */
const MAX_OLDEST_EXAMINED = 2_000;

const ofKind = (kind: 'message' | 'note' | 'todo') =>
  sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.raw(`'${kind}'`)} and ${isListed}`;
const at = given('at');
const isValidKey = and(
  isNull(apiKeys.revokedAt),
  or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
  or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, at)),
);

const countSome = (table: SQLiteTable, filter: SQL | undefined) =>
  rawQuery(
    sql`select count(*) from (select 1 from ${table} where ${filter} limit ${given('limit')}) as limited`,
    ([n]) => Number(n),
  );
const countMembers = countSome(memberships, eq(memberships.hubId, given('hubId')));
const countKeys = countSome(apiKeys, and(eq(apiKeys.hubId, given('hubId')), isValidKey));
const countNotes = countSome(items, ofKind('note'));
const countTodos = rawQuery(
  sql`select count(*), count(*) filter (where status = 'open') from (select status from ${items}
    where ${ofKind('todo')} order by ${items.globalSeq} desc limit ${sql.raw(String(MAX_EXAMINED))}) as recent`,
  ([all, open]) => ({ all: Number(all), open: Number(open) }),
);
const countOlder = (['message', 'note', 'todo'] as const).map((kind) =>
  rawQuery(
    sql`select count(*) from (select created_at from ${items} where ${ofKind(kind)}
      order by ${items.globalSeq} limit ${sql.raw(String(MAX_OLDEST_EXAMINED))}) as oldest where created_at < ${at}`,
    ([n]) => Number(n),
  ),
);

export function hubCountReads(on: Connection) {
  const countUpTo = async (counting: typeof countMembers, hubId: string, max: number, at?: number) =>
    (await on.first(counting, { hubId, limit: max, at })) ?? 0;
  return {
    countMembers: (hubId: string, max: number) => countUpTo(countMembers, hubId, max),
    countKeys: (hubId: string, at: number, max: number) => countUpTo(countKeys, hubId, max, at),
    countOlder: async (hubId: string, at: number, max: number): Promise<number> => {
      const counts = await Promise.all(countOlder.map((each) => on.first(each, { hubId, at })));
      return counts.reduce<number>((all, count) => Math.min(max, all + (count ?? 0)), 0);
    },
    /** `openTodos` is `null` if too many to-dos would have to be examined. */
    countContents: async (hubId: string, max: number) => {
      const [members, notes, todos = { all: 0, open: 0 }] = await Promise.all([
        countUpTo(countMembers, hubId, max),
        countUpTo(countNotes, hubId, max),
        on.first(countTodos, { hubId }),
      ]);
      const isComplete = todos.all < MAX_EXAMINED || todos.open >= max;
      return { members, notes, openTodos: isComplete ? Math.min(todos.open, max) : null };
    },
  };
}

const liveHubs = select({ n: count() }, hubs, isNull(hubs.deletedAt));
const validKeys = select({ n: count() }, apiKeys, isValidKey);
// There are few Hubs, and each stores its number of items; counting a million rows would take too long.
const allItems = select({ n: sum(hubs.itemCount).mapWith(Number) }, hubs);

/** Counts the live Hubs, the valid keys, and the items. */
export async function countTotals(on: Connection, at: number) {
  const [hubs, keys, items] = await Promise.all([on.first(liveHubs), on.first(validKeys, { at }), on.first(allItems)]);
  return { hubs: hubs?.n ?? 0, keys: keys?.n ?? 0, items: items?.n ?? 0 };
}
