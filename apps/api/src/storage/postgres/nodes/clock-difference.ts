import { sql } from 'drizzle-orm';
import type { Clock, Log } from '../../../platform/ports.ts';
import { repeat } from '../../../platform/repeat.ts';
import { given, rawQuery } from '../../engine/query.ts';
import type { ReadConnection } from '../engine/connection.ts';

const COMPARE_MS = 60_000;
/** Beyond this, a key or session that one node still accepts has noticeably expired for another one. */
const MAX_DIFFERENCE_MS = 2_000;

const readNow = rawQuery(
  sql`select coalesce(${given('now')}::double precision, extract(epoch from clock_timestamp()) * 1000)`,
  ([now]: readonly [string]) => Number(now),
);

/**
 * Returns by how many milliseconds the clock of this node is ahead of that of the database: `latest` unless that has become
 * impossible, so that a slow response changes nothing.
 */
export async function readClockDifference(
  on: ReadConnection,
  clock: Clock,
  { latest, testNow = null }: { latest: number | null; testNow?: number | null },
) {
  const before = clock.now();
  const databaseNow = (await on.first(readNow, { now: testNow })) ?? before;
  const [min, max] = [Math.round(before - databaseNow), Math.round(clock.now() - databaseNow)];
  return Math.min(Math.max(latest ?? 0, min), max);
}

interface ClockDifferenceOptions {
  on: ReadConnection;
  clock: Clock;
  log: Log;
  /** For tests: replaces the clock of the database. */
  testNow?: (() => number | null) | undefined;
}

/** Compares the clock of this node with that of the database. */
export function clockDifference({ on, clock, log, testNow = () => null }: ClockDifferenceOptions) {
  let differenceMs: number | null = null;
  const compare = async (): Promise<void> => {
    differenceMs = await readClockDifference(on, clock, { latest: differenceMs, testNow: testNow() });
    if (Math.abs(differenceMs) > MAX_DIFFERENCE_MS)
      log.warn({ differenceMs }, 'The clocks of this node and of the database differ: synchronize them (NTP)');
  };
  return {
    /** How many milliseconds this node is ahead of the database; `null` before the first comparison. */
    milliseconds: () => differenceMs,
    compare,
    /** Compares them regularly. While the database is away, the last difference stays. Returns what ends it. */
    start: () => repeat({ clock, log }, { everyMs: COMPARE_MS, failure: 'Failed to compare the clocks' }, compare),
  };
}
