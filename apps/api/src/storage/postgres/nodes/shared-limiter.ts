import { RATE_LIMIT, type Scope } from '@hub/contract';
import { sql } from 'drizzle-orm';
import {
  type AttemptCounts,
  type AttemptNames,
  currentCount,
  type GuessCounts,
} from '../../../platform/guess-counts.ts';
import { type Admission, seconds } from '../../../platform/sliding-window.ts';
import { HOUR_MS } from '../../../platform/time.ts';
import { given, rawQuery } from '../../engine/query.ts';
import { rawWrite } from '../../engine/write.ts';
import type { KeyCredential } from '../../keys.ts';
import type { RequestLimiter } from '../../store.ts';
import { Batches, type Outcome } from '../engine/batches.ts';
import { numberOrNull, type ReadConnection } from '../engine/connection.ts';

/** Requests that are counted by one statement, which holds the locks of their keys until it ends. */
const MAX_BATCH = 64;
const MAX_RUNS = 2;

type Row = readonly [
  admitted: boolean | null,
  newlyBlocked: boolean | null,
  requests: number | null,
  waitMs: number | null,
];
interface Counted {
  key: KeyCredential;
  counted: Row;
}
type KeyRow = readonly [string, string, string, string, ...(string | null)[]];

/** Finds keys and counts a request with each, unless it is no longer valid: a single round trip for many requests. */
const findAndCount = rawQuery(
  sql`with key as materialized (
      select n, key.id, key.name, key.hub_id, key.scopes, expires_at, overlap_ends_at, revoked_at, deleted_at,
          revoked_at is null and coalesce(least(expires_at, overlap_ends_at) >
            coalesce(${given('now')}::double precision, extract(epoch from clock_timestamp()) * 1000), true) as is_valid
        from unnest(${given('hashes')}::text[]) with ordinality as wanted(hash, n)
          join api_keys key on token_hash = decode(hash, 'hex') join hubs on hubs.id = key.hub_id)
    select key.n, admitted, newly_blocked, requests, wait_ms,
        id, name, hub_id, scopes, expires_at, overlap_ends_at, revoked_at, deleted_at
      from key left join count_requests(
          array(select case when is_valid then id end from generate_subscripts(${given('hashes')}::text[], 1) n
            left join key using (n) order by n), ${given('now')}::double precision) counted on counted.n = key.n`,
  ([n, admitted, newlyBlocked, requests, waitMs, ...key]: readonly [number, ...Row, ...KeyRow]) => ({
    position: Number(n),
    key: toCredential(key),
    counted: [admitted, newlyBlocked, requests, waitMs] satisfies Row,
  }),
);

/** Limits the requests of each key over all nodes, as `SlidingWindow` does, by the clock of the database. */
export function sharedLimiter(on: ReadConnection, testNow: () => number | null = () => null): RequestLimiter {
  const countAll = async (hashes: readonly string[]): Promise<Outcome<Counted | null>[]> => {
    const outcomes: Outcome<Counted | null>[] = hashes.map(() => ({ value: null }));
    for (const { position, key, counted } of await on.all(findAndCount, { hashes, now: testNow() }))
      outcomes[position - 1] = { value: { key, counted } };
    return outcomes;
  };
  const requests = new Batches({ run: countAll, maxItems: MAX_BATCH, maxRuns: MAX_RUNS });
  return {
    countRequest: async (tokenHash, { isValid }) => {
      const found = await requests.add(Buffer.from(tokenHash).toString('hex'));
      if (!found) return null;
      return { key: found.key, admission: isValid(found.key) ? toAdmission(found.counted) : null };
    },
    blockedUntil: ({ blockedUntil }, now) => (blockedUntil !== null && blockedUntil > now ? blockedUntil : null),
    unsavedBlocks: new Map(),
    // The database knows all blocks and when they end.
    blocks: () => [],
    forgetEndedBlock: () => {},
  };
}

function toAdmission([admitted, newlyBlocked, requests, waitMs]: Row): Admission | null {
  if (admitted === null) return null;
  const wait = seconds(Number(waitMs));
  if (!admitted) return { admitted, newlyBlocked: newlyBlocked === true, retryAfterSeconds: wait };
  return { admitted, left: RATE_LIMIT.requests - Number(requests), resetSeconds: wait };
}

function toCredential([id, name, hubId, scopes, ...times]: KeyRow): KeyCredential {
  const [expiresAt = null, overlapEndsAt = null, revokedAt = null, hubDeletedAt = null] = times.map(numberOrNull);
  return { id, name, hubId, scopes: scopes.split(' ') as Scope[], expiresAt, overlapEndsAt, revokedAt, hubDeletedAt };
}

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
type GuessRow = readonly [
  name: string,
  startedAt: number,
  failed: number,
  running: number,
  changedAt: number,
  now: number,
];
/** All transactions lock counts in the same order. */
const lock = rawQuery(
  sql`select name, started_at, failed, running, changed_at, ${now} from password_guesses
    where name = any(${names}) order by name for update`,
  (row: GuessRow) => row,
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

function toCount(row: GuessRow | undefined, now: number) {
  const [, startedAt, failed, running, changedAt] = (row ?? []).map(Number) as unknown as GuessRow;
  const isStale = now - changedAt > MAX_RUNNING_MS;
  return currentCount({ startedAt, failed, running: isStale ? 0 : running }, now);
}
