import { Database } from 'bun:sqlite';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE_FILE, openStore } from '../../../../apps/api/src/for-tests.ts';
import { testFolder } from '../test-folder.ts';
import { TestClock } from './test-clock.ts';

/** Plans that scan or sort a table that grows with use, each with its reason. */
const ALLOWED: { plan: RegExp; sql: RegExp; reason: string }[] = [
  {
    plan: /^SCAN hubs$/,
    sql: /^select "id", "seq" from "hubs"$/,
    reason: 'Once at the start, to find the newest events. Hubs are created by hand.',
  },
  {
    plan: /^SCAN push_subscriptions USING COVERING INDEX \w+$/,
    sql: /^select count\(\*\) from "push_subscriptions"$/,
    reason: 'When the metrics are read: there is one row per browser in use.',
  },
  {
    plan: /^SCAN (?:api_keys|hubs(?: USING INDEX hubs_live)?)$/,
    sql: /^select (?:count\(\*\) from "(?:api_keys|hubs)"|sum\("item_count"\) from "hubs")/,
    reason: 'The status page counts Hubs and keys: for one user at a time, 10 ms at 100,000 keys.',
  },
  {
    plan: /^SCAN users USING INDEX users_owners$/,
    sql: /^select "id" from "users" where \("users"."role" = 'owner' and .* order by "users"."id" limit \?$/,
    reason: 'The index contains only owners, and the first one is enough.',
  },
  {
    plan: /^SCAN users$/,
    sql: /^update "users" set factor_due_at = case/,
    reason: 'A new rule for second factors, which an admin sets, applies to all users.',
  },
  {
    plan: /^SCAN factors$/,
    sql: /^select "id", "key" from "factors" where "factors"."kind" = \?$/,
    reason: 'Once at the start, with HUB_SECRETS_KEY: there are at most ten per user.',
  },
  {
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    sql: /select key\.id from memberships mine/,
    reason: "The newest keys of each of a user's Hubs, as many as the page has: 4 ms for 300 Hubs with 100 keys each.",
  },
  {
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    sql: /"last_used_at" is not null\) order by "api_keys"."last_used_at" desc limit \?$/,
    reason: "The keys of a user's Hubs, for filters: when a key was last used changes with each post.",
  },
  {
    plan: /^SCAN touched_items$/,
    sql: /\(select id, at from touched_items order by id\s+limit \?\)/,
    reason: 'Reads the oldest rows in table order, as many as one step erases.',
  },
  {
    plan: /^USE TEMP B-TREE FOR GROUP BY$/,
    sql: /"api_keys"."counted_global_seq"\) group by "api_keys"."id", "items"."created_at" \/ 86400000$/,
    reason: 'Once at the start, over posts not counted yet: those of a few seconds.',
  },
  {
    plan: /^USE TEMP B-TREE FOR (?:GROUP BY|ORDER BY|string_agg\(ORDER BY\))$/,
    sql: /group by author_id order by max\(place\) desc limit 3/,
    reason: 'The newest repliers: among at most thirty replies, and most messages have none.',
  },
  {
    plan: /^USE TEMP B-TREE FOR string_agg\(ORDER BY\)$/,
    sql: /\(select string_agg\(user_id [^)]* order by at, user_id\)\s+from reactions where item_id = "items"."id"\)/,
    reason: 'The reactions to one message, by time: there are few, and most messages have none.',
  },
  {
    plan: /^USE TEMP B-TREE FOR GROUP BY$/,
    sql: /order by global_seq desc limit 5000\) as newest\s+where newest.status = 'open' group by newest.hub_number$/,
    reason: "A user's open to-dos by Hub, among at most 5,000.",
  },
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
    if (ALLOWED.some((entry) => entry.plan.test(detail) && entry.sql.test(sql))) return [];
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
