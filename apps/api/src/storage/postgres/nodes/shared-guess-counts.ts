import { sql } from 'drizzle-orm';
import {
  type AttemptCounts,
  type AttemptNames,
  currentCount,
  type GuessCounts,
  HOUR_MS,
} from '../../../platform/guess-counts.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { rawWrite } from '../../engine/write.ts';
import type { ReadConnection } from '../engine/connection.ts';

/** Attempts that have been running for longer belong to a node that died. */
const MAX_RUNNING_MS = 60_000;

const names = sql`${given('names')}::text[]`;
const now = sql`coalesce(${given('now')}::double precision, extract(epoch from clock_timestamp()) * 1000)`;

/** Creates the missing counts, and removes some that are over, so that there are never many more than an hour needs. */
const prepare = rawWrite(
  sql`with gone as (
      delete from password_guesses where name in (
        select name from password_guesses where started_at <= ${now} - ${sql.raw(String(HOUR_MS))} and name <> all(${names})
          order by started_at limit 20 for update skip locked))
    insert into password_guesses (name, started_at) select name, ${now} from unnest(${names}) name order by name
      on conflict do nothing`,
);
type Row = readonly [name: string, startedAt: number, failed: number, running: number, changedAt: number, now: number];
/** All transactions lock counts in the same order. */
const lock = rawQuery(
  sql`select name, started_at, failed, running, changed_at, ${now} from password_guesses
    where name = any(${names}) order by name for update`,
  (row: Row) => row,
);
const save = rawWrite(
  sql`update password_guesses set started_at = ${given('startedAt')}, failed = ${given('failed')},
      running = ${given('running')}, changed_at = ${given('changedAt')}
    where name = ${given('name')}`,
);

/** The counts of password attempts over all nodes, by the clock of the database, unless `testNow` replaces it. */
export function sharedGuessCounts(on: ReadConnection, testNow: () => number | null = () => null): GuessCounts {
  return {
    change: <T>(names: AttemptNames, change: (counts: AttemptCounts, now: number) => T): Promise<T> => {
      const kinds = ['account', 'address', 'pair'] as const;
      const values = { names: kinds.map((kind) => `${kind} ${names[kind]}`), now: testNow() };
      return on.locked(async (tx) => {
        await tx.run(prepare, values);
        const rows = new Map((await tx.all(lock, values)).map((row) => [row[0], row]));
        const time = Number([...rows.values()][0]?.[5]);
        const [account, address, pair] = values.names.map((name) => toCount(rows.get(name), time));
        if (!account || !address || !pair) throw new Error('A count of password attempts was not created');
        const result = change({ account, address, pair }, time);
        const changed = [account, address, pair].map((count, index) => ({ name: values.names[index], ...count }));
        for (const count of changed) await tx.run(save, { ...count, changedAt: time });
        return result;
      });
    },
  };
}

function toCount(row: Row | undefined, now: number) {
  const [, startedAt, failed, running, changedAt] = (row ?? []).map(Number) as unknown as Row;
  const isStale = now - changedAt > MAX_RUNNING_MS;
  return currentCount({ startedAt, failed, running: isStale ? 0 : running }, now);
}
