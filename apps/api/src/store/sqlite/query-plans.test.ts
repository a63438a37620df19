import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { openSqliteUnderTest, type SqliteUnderTest } from '../../testing/sqlite-under-test.ts';
import { useEveryMethod } from '../../testing/use-every-method.ts';
import type { SqliteStore } from './open-store.ts';

/** Tables that grow with use: to read one from end to end would hold up every request. */
const GROWING = [
  'items',
  'events',
  'api_keys',
  'audit_entries',
  'hubs',
  'people',
  'pictures',
  'sessions',
  'personal_tokens',
  'links',
  'memberships',
  'key_days',
  'mentions',
  'reactions',
  'removals',
  'touched_items',
  'notice_settings',
  'notice_modes',
  'push_subscriptions',
];

/** What else is prepared are transactions, pragmas and the statements of migrations. */
const READS_OR_WRITES = /^\s*(select|insert|update|delete|with)\b/i;
/** Of the search index, of which each is a look into its one table of words; and of SQLite and the migrations themselves, with the tables that they make anew. */
const OF_ANOTHER_FILE = /\bitems_search\b|\bposition\b|\bsqlite_schema\b|__drizzle_migrations|__new_/;
/** Methods that run no statement of their own. */
const NO_STATEMENTS = ['sizes', 'waitingWrites', 'close', /^backups\./];

/** The exceptions, each with the reason why it may stay. */
const ALLOWED: { plan: RegExp; sql: RegExp; reason: string }[] = [
  {
    plan: /^SCAN hubs$/,
    sql: /^select "id", "seq" from "hubs"$/,
    reason: 'Once at the start: from where on what happens is news. Hubs are made by hand.',
  },
  {
    plan: /^SCAN push_subscriptions USING COVERING INDEX \w+$/,
    sql: /^select count\(\*\) from "push_subscriptions"$/,
    reason: 'When the metrics are read: there is one for a browser that somebody uses.',
  },
  {
    plan: /^SCAN api_keys$/,
    sql: /^select count\(\*\) from "api_keys"/,
    reason: 'The status page counts the keys that can post now: for one person at a time, 10 ms at 100,000 keys.',
  },
  {
    plan: /^SCAN hubs$/,
    sql: /^select sum\("item_count"\) from "hubs"/,
    reason: 'The status page adds up what each Hub knows about itself; Hubs are made by hand.',
  },
  {
    plan: /^SCAN memberships\b/,
    sql: /^\s*UPDATE `memberships` SET `note_read_seq` = `read_seq`/,
    reason: 'Of a migration, which gives every member a read mark for each kind, once.',
  },
  {
    plan: /^SCAN sessions$/,
    sql: /^\s*UPDATE `sessions` SET `expires_at` = min\(/,
    reason: 'Part of a migration, which gives every session its end after 90 days, once.',
  },
  {
    plan: /^SCAN hubs USING INDEX hubs_live$/,
    sql: /^select count\(\*\) from "hubs"/,
    reason: 'The status page counts the Hubs, which are made by hand.',
  },
  {
    plan: /^SCAN people USING INDEX people_owners$/,
    sql: /^select "id" from "people" where \("people"."role" = 'owner' and "people"."disabled_at" is null\) limit \?$/,
    reason: 'The index holds the owners alone, and the first two are enough.',
  },
  {
    plan: /^SCAN touched_items$/,
    sql: /\(select id, at from touched_items order by id\s+limit \?\)/,
    reason: 'The oldest ones in the order of the table, as many as one step erases.',
  },
  {
    plan: /^USE TEMP B-TREE FOR GROUP BY$/,
    sql: /from "items" where "items"."rank" > \? group by "items"."key_id", "items"."created_at" \/ 86400000$/,
    reason: 'Once at the start, over the posts that were not yet counted: those of a few seconds.',
  },
  {
    plan: /^USE TEMP B-TREE FOR (?:GROUP BY|ORDER BY)$/,
    sql: /group by author_id order by max\(place\) desc limit 3/,
    reason: 'Who wrote the newest replies: of thirty of them at most, and to most messages there are none.',
  },
  {
    plan: /^USE TEMP B-TREE FOR ORDER BY$/,
    sql: /\(select emoji, person_id from reactions where item_id = "items"."id" order by at, person_id\)/,
    reason: 'The reactions to one message, by time: there are few, and to most messages none.',
  },
];

describe('query plans', () => {
  let subject: SqliteUnderTest;
  let statements: string[];
  let uncalled: string[];
  let plans: { sql: string; step: string }[];

  beforeAll(async () => {
    const seen = new Set<string>();
    const spies = (['prepare', 'query'] as const).map((method) => spyOn(Database.prototype, method));
    subject = openSqliteUnderTest();
    const watched = watchCalls(subject.store);
    await useEveryMethod({ ...subject, store: watched.store });
    uncalled = watched.uncalled();
    for (const spy of spies) {
      for (const [sql] of spy.mock.calls) seen.add(sql);
      spy.mockRestore();
    }
    statements = [...seen].filter((sql) => READS_OR_WRITES.test(sql) && !OF_ANOTHER_FILE.test(sql));
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

  test('every statement of the store is looked at: each of its methods was called', () => {
    expect(uncalled).toEqual([]);
    expect(statements.length).toBeGreaterThanOrEqual(150);
    for (const table of [...GROWING, 'workspace']) {
      expect(statements.some((sql) => sql.includes(`"${table}"`))).toBe(true);
    }
  });

  test('and so is what the search index reads of the items', () => {
    const ofSearch = (what: RegExp): number => statements.filter((sql) => what.test(sql)).length;
    expect(ofSearch(/^SELECT .* FROM items WHERE rank > \?/)).toBe(1);
    expect(ofSearch(/^SELECT .* FROM items WHERE rank IN/)).toBe(2);
    expect(ofSearch(/FROM touched_items/)).toBe(2);
  });

  test('no statement reads a growing table from end to end or sorts it, but for a few with a reason', () => {
    const rejected = plans.filter(
      ({ sql, step }) => isCostly(step) && !ALLOWED.some((entry) => entry.plan.test(step) && entry.sql.test(sql)),
    );
    expect(rejected).toEqual([]);
  });

  test('the lists of a Hub are read from their index, in its order', () => {
    const steps = plans.filter(({ sql, step }) => sql.includes('"reply_count" > 0') && /\bitems\b/.test(step));
    // Both directions, of a list itself and of what many lists begin with.
    expect(steps.filter(({ sql }) => sql.includes('json_each'))).toHaveLength(2);
    expect(steps.length).toBeGreaterThanOrEqual(4);
    for (const { step } of steps) {
      expect(step).toMatch(/^SEARCH items USING (COVERING )?INDEX items_by_hub \(hub_id=\? AND kind=\?/);
    }
  });

  test('what somebody has not read is found among that alone, not among all that was ever addressed to him', () => {
    const ofUnread = plans.filter(
      ({ sql, step }) => sql.includes('"mentions"."is_unread"') && /^S\w+ mentions/.test(step),
    );
    const byItem = /^SEARCH mentions USING INDEX \w+ \(person_id=\? AND item_rank=\?\)$/;
    expect(ofUnread.length).toBeGreaterThanOrEqual(7);
    const others = ofUnread.filter(({ step }) => !byItem.test(step));
    for (const { step } of others) expect(step).toMatch(/^SEARCH mentions USING INDEX mentions_unread \(person_id=\?/);
  });

  test('no statement bounds a column twice from one side: SQLite may begin at the wrong bound', () => {
    const bounds = (sql: string, side: string) => [...sql.matchAll(new RegExp(`("\\w+"\\."\\w+") ${side}=? \\?`, 'g'))];
    const bounded = statements.flatMap((sql) =>
      ['<', '>'].map((side) => bounds(sql, side).map(([, column]) => column)),
    );
    expect(bounded.filter((columns) => new Set(columns).size < columns.length)).toEqual([]);
    expect(bounded.filter((columns) => columns.length > 0).length).toBeGreaterThan(10);
  });

  test('the check sees a scan and a sort', () => {
    const steps = subject.database
      .query<{ detail: string }, []>('EXPLAIN QUERY PLAN SELECT id FROM audit_entries ORDER BY actor_name')
      .all();
    expect(steps.filter(({ detail }) => isCostly(detail))).toHaveLength(2);
  });
});

/** The same store, and the names of its methods that were not called. */
function watchCalls(store: SqliteStore): { store: SqliteStore; uncalled: () => string[] } {
  const uncalled = new Set<string>();
  const watch = <Room extends object>(room: Room, path: string): Room => {
    const entries = Object.entries(room).map(([name, value]: [string, unknown]) => {
      const full = `${path}${name}`;
      if (typeof value !== 'function')
        return [name, typeof value === 'object' && value !== null ? watch(value, `${full}.`) : value];
      uncalled.add(full);
      const called = (...args: unknown[]): unknown => {
        uncalled.delete(full);
        return value(...args);
      };
      return [name, called];
    });
    return Object.fromEntries(entries) as Room;
  };
  const isExcused = (name: string): boolean =>
    NO_STATEMENTS.some((excuse) => (typeof excuse === 'string' ? excuse === name : excuse.test(name)));
  return { store: watch(store, ''), uncalled: () => [...uncalled].filter((name) => !isExcused(name)) };
}
