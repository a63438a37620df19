import type { Proof } from '@hub/testkit';
import { quantile } from '@hub/testkit';
import type { Sample } from './samples.ts';

/** A part of the run: the resources of the server, and the latencies of posts. */
export interface Quarter {
  readonly samples: readonly Sample[];
  readonly latenciesMs: readonly number[];
}

/**
 * The permitted memory growth from the second quarter to the last. In the first quarter, the caches fill up; SQLite's
 * cache alone takes up to 64 MiB. Under a steady load, the runtime's memory varies by about 10 MiB. In a run of an
 * hour, a leak of 100 bytes per post adds 34 MiB in the half hour between the middles of these two quarters.
 */
const GROWTH = { times: 1.05, MiB: 16 } as const;
/** The permitted memory growth during warm-up, high enough to detect only runaway growth. */
const WARMING = { times: 1.25, MiB: 48 } as const;
const STEADY_SECONDS = 600;
/** Files that a request or a timer opens briefly. */
const OTHER_FILES = 12;
/** A checkpoint runs every 4 MiB, unless someone is reading at that moment. */
const MAX_WAL_MIB = 32;
const SAME_P99 = { times: 2, ms: 20 } as const;

export function checkQuarters(proof: Proof, quarters: readonly Quarter[], seconds: number): void {
  for (const [number, quarter] of quarters.entries()) proof.report(sayQuarter(number, quarter));
  const [first, second, , last] = quarters as [Quarter, Quarter, Quarter, Quarter];
  const [before, after] = [median(second, 'ownMiB'), median(last, 'ownMiB')];
  const allowed = seconds >= STEADY_SECONDS ? GROWTH : WARMING;
  const most = before * allowed.times + allowed.MiB;
  const memory = `median ${before.toFixed(0)} MiB in the second quarter, ${after.toFixed(0)} in the last, of at most ${most.toFixed(0)}`;
  proof.check('memory is flat', after <= most, memory);
  const [filesBefore, filesAfter] = [greatest(second, 'files'), greatest(last, 'files')];
  proof.check('open files are flat', filesAfter <= filesBefore + OTHER_FILES, `${filesBefore} and ${filesAfter}`);
  const walMiB = Math.max(...quarters.map((quarter) => greatest(quarter, 'walMiB')));
  proof.check('the log stays short', walMiB <= MAX_WAL_MIB, `${walMiB.toFixed(1)} MiB at most`);
  const [firstMs, lastMs] = [quantile(first.latenciesMs, 0.99), quantile(last.latenciesMs, 0.99)];
  const maxMs = Math.max(firstMs * SAME_P99.times, firstMs + SAME_P99.ms);
  const posts = `p99 ${firstMs.toFixed(1)} ms in the first quarter, ${lastMs.toFixed(1)} in the last, of at most ${maxMs.toFixed(1)}`;
  proof.check('posts are as fast at the end as at the start', lastMs <= maxMs, posts);
}

function sayQuarter(number: number, quarter: Quarter): string {
  const of = (name: keyof Sample): string => median(quarter, name).toFixed(0);
  const ms = (share: number): string => quantile(quarter.latenciesMs, share).toFixed(1);
  return (
    `quarter ${number + 1}: memory ${of('ownMiB')} MiB (${of('residentMiB')} with files, ${greatest(quarter, 'residentMiB').toFixed(0)} at most), ` +
    `${of('files')} files, log ${greatest(quarter, 'walMiB').toFixed(1)} MiB, database ${of('databaseMiB')} MiB; ` +
    `${quarter.latenciesMs.length} posts, p50 ${ms(0.5)} ms, p99 ${ms(0.99)}, slowest ${ms(1 - 1e-9)}`
  );
}

function median({ samples }: Quarter, name: keyof Sample): number {
  return quantile(
    samples.map((sample) => sample[name]),
    0.5,
  );
}

function greatest({ samples }: Quarter, name: keyof Sample): number {
  return samples.reduce((most, sample) => Math.max(most, sample[name]), 0);
}
