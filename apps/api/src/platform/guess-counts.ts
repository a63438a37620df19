import { type AppError, tooManyRequests } from './errors.ts';
import type { Clock } from './ports.ts';
import { HOUR_MS } from './time.ts';

/** How many counts of each kind a server that runs alone remembers. */
const MAX_COUNTS = 20_000;

/** The password attempts in the hour that began at `startedAt`. */
export interface GuessCount {
  /** In milliseconds, by the clock of the counts. */
  startedAt: number;
  failed: number;
  /** The number of attempts whose outcome is not known yet, or has not been sent. */
  running: number;
}

/** The counts that one attempt belongs to: of its account and source together, of its address and of its account. */
export type AttemptCounts = Record<'pair' | 'address' | 'account', GuessCount>;
export type AttemptNames = Record<keyof AttemptCounts, string>;

/** Remembers password attempts, in memory or for several nodes. */
export interface GuessCounts {
  /** Runs `change`, which can write to the counts, while nothing else changes them. `now` is by the same clock as they are. */
  change<T>(names: AttemptNames, change: (counts: AttemptCounts, now: number) => T): Promise<T>;
}

/** Returns a count as it is now: after an hour, it begins again, but running attempts stay. */
export function currentCount(count: GuessCount | undefined, now: number): GuessCount {
  if (count && now - count.startedAt < HOUR_MS) return { ...count, startedAt: Math.min(count.startedAt, now) };
  return { startedAt: now, failed: 0, running: count?.running ?? 0 };
}

/** Returns the error for a count that is full until its hour ends. `reason` is a sentence. */
export function tooManyThisHour({ startedAt }: GuessCount, now: number, reason: string): AppError {
  const seconds = Math.ceil((startedAt + HOUR_MS - now) / 1000);
  const minutes = Math.ceil(seconds / 60);
  return tooManyRequests(`${reason} Try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`, seconds);
}

/**
 * Counts one more within an hour, on all nodes together, apart from password attempts.
 * @throws too_many_requests with `reason` if one of the counts is at its maximum
 */
export async function countWithinHour(
  counts: GuessCounts,
  names: AttemptNames,
  max: Partial<Record<keyof AttemptCounts, number>>,
  reason: string,
): Promise<void> {
  const error = await counts.change(names, (current, now) => {
    for (const name of ['account', 'address', 'pair'] as const)
      if (current[name].failed >= (max[name] ?? Number.POSITIVE_INFINITY))
        return tooManyThisHour(current[name], now, reason);
    for (const count of Object.values(current)) count.failed += 1;
    return null;
  });
  if (error) throw error;
}

/** The counts of a server that runs alone. Memory is bounded: the oldest counts are dropped first. */
export class LocalGuessCounts implements GuessCounts {
  readonly #counts = { pair: new BoundedCounts(), address: new BoundedCounts(), account: new BoundedCounts() };

  constructor(private readonly clock: Clock) {}

  async change<T>(names: AttemptNames, change: (counts: AttemptCounts, now: number) => T): Promise<T> {
    const now = this.clock.monotonic();
    const kinds = ['pair', 'address', 'account'] as const;
    const found = kinds.map((kind) => [kind, this.#counts[kind].find(names[kind], now)] as const);
    const result = change(Object.fromEntries(found) as AttemptCounts, now);
    for (const [kind, count] of found) this.#counts[kind].set(names[kind], count);
    return result;
  }
}

class BoundedCounts {
  /** Oldest first. */
  readonly #counts = new Map<string, GuessCount>();
  #oldest = this.#counts.keys();

  find(name: string, now: number): GuessCount {
    return currentCount(this.#counts.get(name), now);
  }

  set(name: string, count: GuessCount): void {
    if (count.failed === 0 && count.running === 0) return void this.#counts.delete(name);
    if (this.#counts.get(name)?.startedAt !== count.startedAt) this.#counts.delete(name);
    this.#counts.set(name, count);
    if (this.#counts.size <= MAX_COUNTS) return;
    const oldest = this.#oldest.next();
    if (oldest.done) this.#oldest = this.#counts.keys();
    else this.#counts.delete(oldest.value);
  }
}
