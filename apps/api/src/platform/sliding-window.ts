import { RATE_LIMIT } from '@hub/contract';
import type { Clock } from './ports.ts';

export type Admission =
  | { admitted: true; left: number; resetSeconds: number }
  | { admitted: false; newlyBlocked: boolean; retryAfterSeconds: number };

const WINDOW_MS = RATE_LIMIT.windowSeconds * 1000;
const BLOCK_MS = RATE_LIMIT.blockSeconds * 1000;

/**
 * One key's exact sliding window. Of the requests in any 60 seconds (now − 60 s, now], the first 60 pass; the next one
 * starts a block of 300 seconds, which requests neither extend nor count in; then the window is empty. All times are
 * monotonic milliseconds. One call is one atomic step.
 */
export class SlidingWindow {
  /** The times of the requests in the window, oldest first; never more than 60. */
  #times: number[] = [];
  #blockedUntil = Number.NEGATIVE_INFINITY;

  admit(now: number): Admission {
    const blockLeft = this.blockRemainingMs(now);
    if (blockLeft > 0) return { admitted: false, newlyBlocked: false, retryAfterSeconds: seconds(blockLeft) };

    this.#forget(now);
    if (this.#times.length >= RATE_LIMIT.requests) {
      this.block(now, BLOCK_MS);
      return { admitted: false, newlyBlocked: true, retryAfterSeconds: seconds(BLOCK_MS) };
    }
    this.#times.push(now);
    const oldest = this.#times[0] ?? now;
    return {
      admitted: true,
      left: RATE_LIMIT.requests - this.#times.length,
      resetSeconds: seconds(oldest + WINDOW_MS - now),
    };
  }

  /** Blocks for `ms` milliseconds from now, at most 300 seconds, with an empty window afterwards. */
  block(now: number, ms: number): void {
    this.#blockedUntil = now + Math.min(ms, BLOCK_MS);
    this.#times = [];
  }

  blockRemainingMs(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  /** Whether this window can be forgotten without affecting any request. */
  isIdle(now: number): boolean {
    return this.blockRemainingMs(now) === 0 && (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY) <= now - WINDOW_MS;
  }

  #forget(now: number): void {
    while (this.#times.length > 0 && (this.#times[0] ?? now) <= now - WINDOW_MS) this.#times.shift();
  }
}

/** Rounds up to whole seconds, less a microsecond: in fractions, `now + 60,000 − now` can exceed 60,000. */
export function seconds(ms: number): number {
  return Math.max(1, Math.ceil((ms - 0.001) / 1000));
}

/** The maximum number of requests from one sender within any `windowSeconds`. */
interface Rate {
  requests: number;
  windowSeconds: number;
}

/** An exact sliding window for each sender, who is authenticated: the number of accounts bounds the memory used. */
export class RequestRate {
  /** Arrival times of the requests in the window, in monotonic milliseconds, oldest first. */
  readonly #times = new Map<string, number[]>();

  constructor(
    private readonly clock: Clock,
    private readonly rate: Rate,
  ) {}

  /** Counts a request. Returns 0 if it may pass, otherwise the number of seconds, rounded up, until one may. */
  admit(sender: string): number {
    const { requests, windowSeconds } = this.rate;
    const now = this.clock.monotonic();
    const left = now - windowSeconds * 1000;
    const times = this.#times.get(sender) ?? [];
    const firstExpired = times.findIndex((time) => time > left);
    times.splice(0, firstExpired === -1 ? times.length : firstExpired);
    if (times.length >= requests) return Math.max(1, Math.ceil(((times[0] ?? now) - left) / 1000));
    times.push(now);
    this.#times.set(sender, times);
    return 0;
  }
}
