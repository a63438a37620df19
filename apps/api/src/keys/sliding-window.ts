import { RATE_LIMIT } from '@hub/contract';

export type Admission =
  | { admitted: true; left: number; resetSeconds: number }
  | { admitted: false; newlyBlocked: boolean; retryAfterSeconds: number };

const WINDOW_MS = RATE_LIMIT.windowSeconds * 1000;
const BLOCK_MS = RATE_LIMIT.blockSeconds * 1000;

/**
 * One key's exact sliding window. Of the requests in any 60 seconds (now − 60 s, now] the first 60 pass; one more blocks
 * for 300 seconds. Requests during the block neither extend it nor count, and after it the window is empty.
 * All times are monotonic milliseconds, so that a clock that is set cannot lengthen a block. One call is one atomic
 * step: nothing is awaited between the look and the mark.
 */
export class SlidingWindow {
  /** When the requests in the window came, oldest first; never more than 60. */
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

  /** Blocks for `ms` milliseconds from now on, at most 300 seconds, with an empty window afterwards. */
  block(now: number, ms: number): void {
    this.#blockedUntil = now + Math.min(ms, BLOCK_MS);
    this.#times = [];
  }

  blockRemainingMs(now: number): number {
    return Math.max(0, this.#blockedUntil - now);
  }

  /** Whether forgetting this window would change no answer. */
  isIdle(now: number): boolean {
    return this.blockRemainingMs(now) === 0 && (this.#times.at(-1) ?? Number.NEGATIVE_INFINITY) <= now - WINDOW_MS;
  }

  #forget(now: number): void {
    while (this.#times.length > 0 && (this.#times[0] ?? now) <= now - WINDOW_MS) this.#times.shift();
  }
}

/**
 * Whole seconds, rounded up. A monotonic clock with fractions makes `now + 60,000 − now` a trace more than 60,000, which is no
 * 61st second: a microsecond is let go.
 */
function seconds(ms: number): number {
  return Math.max(1, Math.ceil((ms - 0.001) / 1000));
}
