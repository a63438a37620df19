import type { Clock } from '../ports.ts';
import { type Admission, SlidingWindow } from './sliding-window.ts';

/** Windows to look at for eviction on each request: two out for at most one in, so that the map shrinks by itself. */
const EVICTIONS_PER_REQUEST = 2;

/**
 * The windows of all keys that were used lately. Its memory is bounded by the keys that authenticated within the last
 * minute or are blocked, since a wrong key never gets here.
 */
export class KeyLimiter {
  /** In the order of last use, so that those to forget are at the front. */
  readonly #windows = new Map<string, SlidingWindow>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts one request of this key and judges it. */
  admit(keyId: string): Admission {
    const now = this.#clock.monotonic();
    const window = this.#windows.get(keyId) ?? new SlidingWindow();
    this.#windows.delete(keyId);
    this.#windows.set(keyId, window);
    const admission = window.admit(now);
    this.#evict(now);
    return admission;
  }

  /** Takes up a block that began before this process did. */
  restoreBlock(keyId: string, remainingMs: number): void {
    const window = new SlidingWindow();
    window.block(this.#clock.monotonic(), remainingMs);
    this.#windows.set(keyId, window);
  }

  /** Milliseconds until this key is let in again; 0 if it is not blocked. */
  blockRemainingMs(keyId: string): number {
    return this.#windows.get(keyId)?.blockRemainingMs(this.#clock.monotonic()) ?? 0;
  }

  #evict(now: number): void {
    let left = EVICTIONS_PER_REQUEST;
    for (const [keyId, window] of this.#windows) {
      if (left === 0 || !window.isIdle(now)) return;
      this.#windows.delete(keyId);
      left -= 1;
    }
  }
}
