import type { Clock } from '../ports.ts';
import type { NewBlock } from '../store/key-blocks.ts';
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
  /** Keys with a block that is or may be on disk, until its end is written down too. */
  readonly #blocked = new Set<string>();
  /** Blocks that the disk did not take when they began; each is tried again with its audit entry. */
  readonly unwrittenBlocks = new Map<string, NewBlock>();
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
    if (!admission.admitted) this.#blocked.add(keyId);
    this.#evict(now);
    return admission;
  }

  /** Takes up a block that began before this process did; with 0 ms left or fewer, one whose end is not written down yet. */
  restoreBlock(keyId: string, remainingMs: number): void {
    const window = new SlidingWindow();
    window.block(this.#clock.monotonic(), remainingMs);
    this.#windows.set(keyId, window);
    this.#blocked.add(keyId);
  }

  /** Milliseconds until this key is let in again; 0 if it is not blocked. */
  blockRemainingMs(keyId: string): number {
    return this.#windows.get(keyId)?.blockRemainingMs(this.#clock.monotonic()) ?? 0;
  }

  /** The blocks under way, and those that ended (0 ms left) since `forgetEndedBlock` was last called for them. */
  blocks(): { keyId: string; remainingMs: number }[] {
    return Array.from(this.#blocked, (keyId) => ({ keyId, remainingMs: this.blockRemainingMs(keyId) }));
  }

  /** Unless another block has begun since. */
  forgetEndedBlock(keyId: string): void {
    if (this.blockRemainingMs(keyId) === 0) this.#blocked.delete(keyId);
  }

  #evict(now: number): void {
    let left = EVICTIONS_PER_REQUEST;
    for (const [keyId, window] of this.#windows) {
      if (left === 0) return;
      left -= 1;
      const isBlocked = window.blockRemainingMs(now) > 0;
      if (!isBlocked && !window.isIdle(now)) return;
      this.#windows.delete(keyId);
      // At the front it would keep the idle ones behind it for the five minutes of its block.
      if (isBlocked) this.#windows.set(keyId, window);
    }
  }
}
