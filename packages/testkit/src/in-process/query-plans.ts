import { Database } from 'bun:sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openStore } from '../../../../apps/api/src/for-tests.ts';
import { testFolder } from '../test-folder.ts';
import { TestClock } from './test-clock.ts';

/** Plans that scan or sort a table that grows with use, and the statements that may have them. */
const ALLOWED: [plan: RegExp, sql: RegExp][] = [
  // Once at the start, to find the newest events. Hubs are created by hand.
  [/^SCAN hubs$/, /^select "id", "seq" from "hubs"$/],
  // When the metrics are read: there is one row per browser in use.
  [/^SCAN push_subscriptions USING COVERING INDEX \w+$/, /^select count\(\*\) from "push_subscriptions"$/],
  // The status page counts Hubs and keys: for one user at a time, 10 ms at 100,000 keys.
  [
    /^SCAN (?:api_keys|hubs(?: USING INDEX hubs_live)?)$/,
    /^select (?:count\(\*\) from "(?:api_keys|hubs)"|sum\("item_count"\) from "hubs")/,
  ],
  // The index contains only owners, and the first one is enough.
  [
    /^SCAN users USING INDEX users_owners$/,
    /^select "id" from "users" where \("users"."role" = 'owner' and .* order by "users"."id" limit \?$/,
  ],
  // A new rule for second factors, which an admin sets, applies to all users.
  [/^SCAN users$/, /^update "users" set factor_due_at = case/],
  // Once at the start, with HUB_SECRETS_KEY: there are at most ten per user.
  [/^SCAN factors$/, /^select "id", "key" from "factors" where "factors"."kind" = \?$/],
  // The newest keys of each of a user's Hubs, as many as the page has: 4 ms for 300 Hubs with 100 keys each.
  [/^USE TEMP B-TREE FOR ORDER BY$/, /select key\.id from memberships mine/],
  // The keys of a user's Hubs, for filters: when a key was last used changes with each post.
  [/^USE TEMP B-TREE FOR ORDER BY$/, /"last_used_at" is not null\) order by "api_keys"."last_used_at" desc limit \?$/],
  // Reads the oldest rows in table order, as many as one step erases.
  [/^SCAN touched_items$/, /\(select id, at from touched_items order by id\s+limit \?\)/],
  // Once at the start, over posts not counted yet: those of a few seconds.
  [
    /^USE TEMP B-TREE FOR GROUP BY$/,
    /"api_keys"."counted_global_seq"\) group by "api_keys"."id", "items"."created_at" \/ 86400000$/,
  ],
  // The newest repliers: among at most thirty replies, and most messages have none.
  [
    /^USE TEMP B-TREE FOR (?:GROUP BY|ORDER BY|string_agg\(ORDER BY\))$/,
    /group by author_id order by max\(place\) desc limit 3/,
  ],
  // The reactions to one message, by time: there are few, and most messages have none.
  [
    /^USE TEMP B-TREE FOR string_agg\(ORDER BY\)$/,
    /\(select string_agg\(user_id [^)]* order by at, user_id\)\s+from reactions where item_id = "items"."id"\)/,
  ],
  // A user's open to-dos by Hub, among at most 5,000.
  [
    /^USE TEMP B-TREE FOR GROUP BY$/,
    /order by global_seq desc limit 5000\) as newest\s+where newest.status = 'open' group by newest.hub_number$/,
  ],
];

const READS_OR_WRITES = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Statements of the migrations are not checked. */
const OF_MIGRATIONS = /__drizzle_migrations/;
/** The pages of a Hub: each of their parts is read from its index, in index order. */
const IS_LIST = /reply_count"? > 0/;
const READS_ITEMS = /\bitems?\b ./;
const FROM_LIST_INDEX = /^SEARCH items? USING (?:COVERING )?INDEX items_by_hub \(hub_number=\? AND kind=\?/;

/** Statements that the servers and stores of this process have prepared since the last check. Tests call `query`. */
const statements = new Set<string>();
const checked = new Set<string>();
const { prepare } = Database.prototype;
Database.prototype.prepare = function (this: Database, ...given: Parameters<typeof prepare>) {
  statements.add(given[0]);
  return prepare.apply(this, given);
} as typeof prepare;

let opened: ReturnType<typeof openEmpty> | undefined;

/** Opens an empty database of the current version. Every table but those of one row grows with use. */
async function openEmpty() {
  const dataDir = testFolder('hub-plans-');
  await openStore({ dataDir, clock: new TestClock(), newId: (prefix) => `${prefix}_1` }).close();
  const database = Database.deserialize(readFileSync(join(dataDir, DATABASE_FILE)));
  rmSync(dataDir, { recursive: true });
  const ofOneRow = "'workspace', 'push_identity', 'sqlite_sequence'";
  const tables = database
    .query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (${ofOneRow})`)
    .values();
  return { database, isCostly: new RegExp(`^(?:SCAN (?:${tables.join('|')})\\b|USE TEMP B-TREE)`) };
}

/** Returns the steps that read or sort more rows than they return: a full scan would block every request. */
export async function costlySteps(sql: string): Promise<string[]> {
  opened ??= openEmpty();
  const { database, isCostly } = await opened;
  let plan: { detail: string }[];
  try {
    plan = database.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  } catch {
    // A migration under test works on another schema.
    return [];
  }
  return plan.flatMap(({ detail }) => {
    if (ALLOWED.some(([allowed, by]) => allowed.test(detail) && by.test(sql))) return [];
    const isFromList =
      !IS_LIST.test(sql) ||
      !READS_ITEMS.test(detail) ||
      FROM_LIST_INDEX.test(detail) ||
      // A merged list finds the next row in the index, and then reads it by its global sequence number.
      (sql.includes('json_each') && detail.includes('INTEGER PRIMARY KEY'));
    return isCostly.test(detail) || !isFromList ? [`${detail}: ${sql}`] : [];
  });
}

/** Throws if a statement that was prepared since the last check is costly. */
export async function checkQueryPlans(): Promise<void> {
  const unchecked = [...statements].filter(
    (sql) => READS_OR_WRITES.test(sql) && !OF_MIGRATIONS.test(sql) && !checked.has(sql),
  );
  statements.clear();
  for (const sql of unchecked) checked.add(sql);
  const costly = (await Promise.all(unchecked.map(costlySteps))).flat();
  if (costly.length > 0) throw new Error(`Costly queries:\n${costly.join('\n')}`);
}

/** Leaves out the statements since the last check, such as those of a move, which reads whole tables. */
export function forgetStatements(): void {
  statements.clear();
}
