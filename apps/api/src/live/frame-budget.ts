import { LIMITS } from '@hub/contract';
import type { Clock } from '../ports.ts';

/** Enough to follow everything twice at once, and then some hundred Hubs a second. */
const MOST = 2 * LIMITS.liveSubscriptions;
const PER_SECOND = 500;

/** How many frames each person may still send, over all of his connections: a token bucket. */
export class FrameBudget {
  readonly #left = new Map<string, { frames: number; at: number }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** False if there was nothing left. */
  take(who: string): boolean {
    const now = this.#clock.monotonic();
    const { frames, at } = this.#left.get(who) ?? { frames: MOST, at: now };
    const left = Math.min(MOST, frames + ((now - at) / 1_000) * PER_SECOND);
    if (left < 1) return false;
    this.#left.set(who, { frames: left - 1, at: now });
    return true;
  }

  /** Forgets those who have all of it again. */
  forgetIdle(): void {
    const longAgo = this.#clock.monotonic() - (MOST / PER_SECOND) * 1_000;
    for (const [who, { at }] of this.#left) if (at < longAgo) this.#left.delete(who);
  }
}
