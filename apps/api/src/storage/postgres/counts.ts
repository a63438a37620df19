import { and, count, eq, gt, isNull, or, sql, sum } from 'drizzle-orm';
import type { HubContents } from '../hub-store.ts';
import type { Totals } from '../store.ts';
import type { Connection } from './engine/database.ts';
import { build, statement } from './engine/statements.ts';
import { hubNumber } from './hubs.ts';
import { apiKeys } from './tables/api-keys.table.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { memberships } from './tables/users.table.ts';

/** Maximum number of to-dos examined to count the open ones, newest first: a Hub may have very many completed ones. */
const MAX_EXAMINED = 5_000;

/** Maximum number of items of each kind examined, oldest first, to count those past a retention period. */
const MAX_OLDEST_EXAMINED = 2_000;

/** The condition of the index `items_by_hub`. */
const inIndex = sql`(${items.deletedAt} is null or ${items.replyCount} > 0)`;
const ofKind = (kind: 'message' | 'note' | 'todo') =>
  sql`${items.hubNumber} = ${hubNumber} and ${items.kind} = ${sql.raw(`'${kind}'`)} and ${inIndex}`;
const isValidAt = (at: ReturnType<typeof sql.placeholder>) =>
  and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
    or(isNull(apiKeys.overlapEndsAt), gt(apiKeys.overlapEndsAt, at)),
  );

const one = { one: sql`1`.as('one') };
const limit = sql.placeholder('limit');
const n = { n: sql`count(*)`.mapWith(Number) };

const countMembers = statement(
  build.select(n).from(
    build
      .select(one)
      .from(memberships)
      .where(eq(memberships.hubId, sql.placeholder('hubId')))
      .limit(limit)
      .as('found'),
  ),
);
const countKeys = statement(
  build.select(n).from(
    build
      .select(one)
      .from(apiKeys)
      .where(and(eq(apiKeys.hubId, sql.placeholder('hubId')), isValidAt(sql.placeholder('at'))))
      .limit(limit)
      .as('found'),
  ),
);
const countNotes = statement(
  build.select(n).from(build.select(one).from(items).where(ofKind('note')).limit(limit).as('found')),
);
const recent = build
  .select({ status: items.status })
  .from(items)
  .where(ofKind('todo'))
  .orderBy(sql`${items.rank} desc`)
  .limit(MAX_EXAMINED)
  .as('recent');
const countTodos = statement(
  build
    .select({
      all: sql`count(*)`.mapWith(Number),
      open: sql`count(*) filter (where ${recent.status} = 'open')`.mapWith(Number),
    })
    .from(recent),
);
const countOlder = (['message', 'note', 'todo'] as const).map((kind) => {
  const oldest = build
    .select({ createdAt: items.createdAt })
    .from(items)
    .where(ofKind(kind))
    .orderBy(sql`${items.rank} asc`)
    .limit(MAX_OLDEST_EXAMINED)
    .as('oldest');
  return statement(
    build
      .select(n)
      .from(oldest)
      .where(sql`${oldest.createdAt} < ${sql.placeholder('at')}`),
  );
});

/** Counts the content of a Hub, as shown in its header. */
export function hubCountReads(on: Connection) {
  const membersOf = async (hubId: string, max: number): Promise<number> =>
    (await on.first(countMembers, { hubId, limit: max }))?.n ?? 0;
  return {
    countMembers: membersOf,
    countKeys: async (hubId: string, at: number, max: number): Promise<number> =>
      (await on.first(countKeys, { hubId, at, limit: max }))?.n ?? 0,
    countOlder: async (hubId: string, at: number, max: number): Promise<number> => {
      const counts = await Promise.all(countOlder.map((each) => on.first(each, { hubId, at })));
      return Math.min(
        max,
        counts.reduce((all, found) => all + (found?.n ?? 0), 0),
      );
    },
    countContents: async (hubId: string, max: number): Promise<HubContents> => {
      const [members, notes, todos = { all: 0, open: 0 }] = await Promise.all([
        membersOf(hubId, max),
        on.first(countNotes, { hubId, limit: max }),
        on.first(countTodos, { hubId }),
      ]);
      const isComplete = todos.all < MAX_EXAMINED || todos.open >= max;
      return { members, notes: notes?.n ?? 0, openTodos: isComplete ? Math.min(todos.open, max) : null };
    },
  };
}

const liveHubs = statement(build.select({ n: count() }).from(hubs).where(isNull(hubs.deletedAt)));
const usableKeys = statement(
  build
    .select({ n: count() })
    .from(apiKeys)
    .where(isValidAt(sql.placeholder('now'))),
);
// Each Hub stores its number of items; counting a million rows would take too long.
const allItems = statement(build.select({ n: sum(hubs.itemCount).mapWith(Number) }).from(hubs));

export function totalsReads(on: Connection) {
  return {
    totals: async (now: number): Promise<Totals> => {
      const [hubs, keys, items] = await Promise.all([
        on.first(liveHubs),
        on.first(usableKeys, { now }),
        on.first(allItems),
      ]);
      return { hubs: hubs?.n ?? 0, keys: keys?.n ?? 0, items: items?.n ?? 0 };
    },
  };
}
