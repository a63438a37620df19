import type { Clock } from '../ports.ts';
import type { NewBlock } from '../store/key-blocks.ts';
import { type Admission, SlidingWindow } from './sliding-window.ts';

/** Windows to look at for eviction on each request: two for at most one that comes in, so that the round is always faster. */
const LOOKS_PER_REQUEST = 2;

/**
 * The windows of all keys that were used lately. Its memory is bounded by twice the keys that authenticated within the last
 * minute or are blocked, since a wrong key never gets here. Each request looks at the next two on a round through all of
 * them, which takes as long however many there are. An order of last use would not: a `Map` keeps the places of what was taken out and put
 * in again, and whoever starts at its front steps over all of them.
 */
export class KeyLimiter {
  readonly #windows = new Map<string, SlidingWindow>();
  /** Where the round is. What comes in meanwhile is at its end. */
  #round = this.#windows.entries();
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
    let window = this.#windows.get(keyId);
    if (!window) {
      window = new SlidingWindow();
      this.#windows.set(keyId, window);
    }
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
    for (let look = 0; look < LOOKS_PER_REQUEST; look += 1) {
      const next = this.#round.next();
      if (next.done) {
        this.#round = this.#windows.entries();
        return;
      }
      const [keyId, window] = next.value;
      if (window.isIdle(now)) this.#windows.delete(keyId);
    }
  }
}
