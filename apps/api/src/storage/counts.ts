import { and, count, eq, gt, isNull, lt, or, type SQL, sql, sum } from 'drizzle-orm';
import { hubNumber, isListed } from './columns.ts';
import type { Connection } from './engine/connection.ts';
import { build, given, query, select } from './engine/query.ts';
import { apiKeys } from './schema/api-keys.table.ts';
import { hubs } from './schema/hubs.table.ts';
import { items } from './schema/items.table.ts';
import { memberships } from './schema/users.table.ts';

/** The content of a Hub; `openTodos` is `null` if too many to-dos would have to be examined. */
export interface HubContents {
  members: number;
  notes: number;
  openTodos: number | null;
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

const n = { n: sql`count(*)`.mapWith(Number) };
const countSome = (table: typeof memberships | typeof apiKeys | typeof items, filter: SQL | undefined) =>
  query(() =>
    build.select(n).from(
      build
        .select({ one: sql`1`.as('one') })
        .from(table)
        .where(filter)
        .limit(given('limit'))
        .as('found'),
    ),
  );
const countMembers = countSome(memberships, eq(memberships.hubId, given('hubId')));
const countKeys = countSome(apiKeys, and(eq(apiKeys.hubId, given('hubId')), isValidKey));
const countNotes = countSome(items, ofKind('note'));
const recent = build
  .select({ status: items.status })
  .from(items)
  .where(ofKind('todo'))
  .orderBy(sql`${items.globalSeq} desc`)
  .limit(MAX_EXAMINED)
  .as('recent');
const open = sql`count(*) filter (where ${recent.status} = 'open')`.mapWith(Number);
const countTodos = query(() => build.select({ all: n.n, open }).from(recent));
const countOlder = (['message', 'note', 'todo'] as const).map((kind) => {
  const oldest = build
    .select({ createdAt: items.createdAt })
    .from(items)
    .where(ofKind(kind))
    .orderBy(sql`${items.globalSeq} asc`)
    .limit(MAX_OLDEST_EXAMINED)
    .as('oldest');
  return query(() => build.select(n).from(oldest).where(lt(oldest.createdAt, at)));
});

export function hubCountReads(on: Connection) {
  const countUpTo = async (counting: typeof countMembers, hubId: string, max: number) =>
    (await on.first(counting, { hubId, limit: max }))?.n ?? 0;
  return {
    countMembers: async (hubId: string, max: number): Promise<number> => countUpTo(countMembers, hubId, max),
    countKeys: async (hubId: string, at: number, max: number): Promise<number> =>
      (await on.first(countKeys, { hubId, at, limit: max }))?.n ?? 0,
    countOlder: async (hubId: string, at: number, max: number): Promise<number> => {
      const counts = await Promise.all(countOlder.map((each) => on.first(each, { hubId, at })));
      return counts.reduce((all, count) => Math.min(max, all + (count?.n ?? 0)), 0);
    },
    countContents: async (hubId: string, max: number): Promise<HubContents> => {
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

export interface Totals {
  hubs: number;
  keys: number;
  items: number;
}

const liveHubs = select({ n: count() }, hubs, isNull(hubs.deletedAt));
const validKeys = select({ n: count() }, apiKeys, isValidKey);
// There are few Hubs, and each stores its number of items; counting a million rows would take too long.
const allItems = select({ n: sum(hubs.itemCount).mapWith(Number) }, hubs);

export async function countTotals(on: Connection, at: number): Promise<Totals> {
  const [hubs, keys, items] = await Promise.all([on.first(liveHubs), on.first(validKeys, { at }), on.first(allItems)]);
  return { hubs: hubs?.n ?? 0, keys: keys?.n ?? 0, items: items?.n ?? 0 };
}
