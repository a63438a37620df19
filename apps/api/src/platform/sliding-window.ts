import { RATE_LIMIT } from '@hub/contract';

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
