import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { openSqliteUnderTest, type SqliteUnderTest } from '@hub/testkit/in-process/sqlite-under-test';
import { useEveryMethod } from '@hub/testkit/storage/use-every-method';
import type { SqliteStore } from './open-store.ts';

/** Tables that grow with use: a full scan of one would block every request. */
const GROWING = [
  'items',
  'events',
  'api_keys',
  'audit_entries',
  'hubs',
  'users',
  'avatars',
  'sessions',
  'personal_tokens',
  'links',
  'memberships',
  'key_days',
  'mentions',
  'reactions',
  'removals',
  'touched_items',
  'notification_settings',
  'notification_modes',
  'push_subscriptions',
];

/** All other prepared statements are transactions, pragmas or migrations. */
const READS_OR_WRITES = /^\s*(select|insert|update|delete|with)\b/i;
/**
 * Statements that are not checked: look-ups in the tables of the search index, and statements by SQLite and the
 * migrations.
 */
const OTHER_STATEMENTS = /\bitems_search\b|\bposition\b|\bsqlite_schema\b|__drizzle_migrations/;
/** Methods that run no statement. */
const NO_STATEMENTS = ['sizes', 'waitingWrites', 'close', /^backups\./];

/** The exceptions, each with its reason. */
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
    plan: /^SCAN api_keys$/,
    sql: /^select count\(\*\) from "api_keys"/,
    reason: 'The status page counts the keys that can post now: for one user at a time, 10 ms at 100,000 keys.',
  },
  {
    plan: /^SCAN hubs$/,
    sql: /^select sum\("item_count"\) from "hubs"/,
    reason: 'The status page adds up the item count of each Hub; Hubs are created by hand.',
  },
  {
    plan: /^SCAN hubs USING INDEX hubs_live$/,
    sql: /^select count\(\*\) from "hubs"/,
    reason: 'The status page counts the Hubs, which are created by hand.',
  },
  {
    plan: /^SCAN users USING INDEX users_owners$/,
    sql: /^select "id" from "users" where \("users"."role" = 'owner' and .* order by "users"."id" limit \?$/,
    reason: 'The index contains only owners, and the first one is enough.',
  },
  {
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    sql: /select key\.id from memberships mine/,
    reason: "The newest keys of each of a user's Hubs, as many as the page has: 4 ms for 300 Hubs with 100 keys each.",
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

describe('query plans', () => {
  let subject: SqliteUnderTest;
  let statements: string[];
  let notCalled: string[];
  let plans: { sql: string; step: string }[];

  beforeAll(async () => {
    const seen = new Set<string>();
    const spies = (['prepare', 'query'] as const).map((method) => spyOn(Database.prototype, method));
    subject = openSqliteUnderTest();
    const watched = watchCalls(subject.store);
    await useEveryMethod({ ...subject, store: watched.store });
    notCalled = watched.notCalled();
    for (const spy of spies) {
      for (const [sql] of spy.mock.calls) seen.add(sql);
      spy.mockRestore();
    }
    statements = [...seen].filter((sql) => READS_OR_WRITES.test(sql) && !OTHER_STATEMENTS.test(sql));
    plans = statements.flatMap((sql) =>
      subject.database
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => ({ sql, step: detail })),
    );
  });
  afterAll(() => subject.dispose());

  const isCostly = (step: string): boolean =>
    GROWING.some((table) => new RegExp(`^SCAN ${table}\\b`).test(step)) || step.startsWith('USE TEMP B-TREE');

  test('cover every method of the store', () => {
    expect(notCalled).toEqual([]);
    expect(statements.length).toBeGreaterThanOrEqual(150);
    for (const table of [...GROWING, 'workspace']) {
      expect(statements.some((sql) => sql.includes(`"${table}"`))).toBe(true);
    }
  });

  test('neither scan nor sort a growing table, with a few justified exceptions', () => {
    const rejected = plans.filter(
      ({ sql, step }) => isCostly(step) && !ALLOWED.some((entry) => entry.plan.test(step) && entry.sql.test(sql)),
    );
    expect(rejected).toEqual([]);
  });

  test('read the lists of a Hub from their index, in index order', () => {
    const steps = plans.filter(({ sql, step }) => /reply_count"? > 0/.test(sql) && /\bitems?\b ./.test(step));
    // The index finds the first row of each merged list, and each following one, which is then read by its global sequence number.
    const ofMerged = steps.filter(({ sql }) => sql.includes('json_each'));
    const byGlobalSeq = ofMerged.filter(({ step }) => step.includes('INTEGER PRIMARY KEY'));
    expect([ofMerged.length, byGlobalSeq.length]).toEqual([10, 6]);
    expect(steps.length).toBeGreaterThanOrEqual(14);
    for (const { step } of steps.filter((each) => !byGlobalSeq.includes(each))) {
      expect(step).toMatch(/^SEARCH items? USING (COVERING )?INDEX items_by_hub \(hub_number=\? AND kind=\?/);
    }
  });
});

/** Wraps the store, and lists the names of its methods that were not called. */
function watchCalls(store: SqliteStore): { store: SqliteStore; notCalled: () => string[] } {
  const notCalled = new Set<string>();
  const watch = <Part extends object>(part: Part, path: string): Part => {
    const entries = Object.entries(part).map(([name, value]: [string, unknown]) => {
      const full = `${path}${name}`;
      if (typeof value !== 'function')
        return [name, typeof value === 'object' && value !== null ? watch(value, `${full}.`) : value];
      notCalled.add(full);
      const called = (...args: unknown[]): unknown => {
        notCalled.delete(full);
        return value(...args);
      };
      return [name, called];
    });
    return Object.fromEntries(entries) as Part;
  };
  const isExempt = (name: string): boolean =>
    NO_STATEMENTS.some((exemption) => (typeof exemption === 'string' ? exemption === name : exemption.test(name)));
  return { store: watch(store, ''), notCalled: () => [...notCalled].filter((name) => !isExempt(name)) };
}
