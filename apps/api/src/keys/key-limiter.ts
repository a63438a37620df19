import type { Clock } from '../ports.ts';
import type { AuditRecord } from '../store/store.ts';
import { type Admission, SlidingWindow, WINDOW_MS } from './sliding-window.ts';

/**
 * The windows of all keys that were used lately. Its memory is bounded by the keys that authenticated within the last
 * two minutes or are blocked, since a wrong key never gets here.
 */
export class KeyLimiter {
  /**
   * Two generations, so that nothing has to look for windows to forget: a window that is used moves into the recent one, and
   * once a minute what stayed in the older one is let go of as a whole.
   */
  #recent = new Map<string, SlidingWindow>();
  #older = new Map<string, SlidingWindow>();
  #turnedAt = Number.NEGATIVE_INFINITY;
  /** Keys with a block that is or may be on disk, until its end is written down too. */
  readonly #blocked = new Set<string>();
  /** Blocks that the disk did not take when they began; each is tried again with its audit entry. */
  readonly unwrittenBlocks = new Map<string, { keyId: string; until: number; audit: AuditRecord }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Counts one request of this key and judges it. */
  admit(keyId: string): Admission {
    const now = this.#clock.monotonic();
    if (now - this.#turnedAt >= WINDOW_MS) this.#turn(now);
    const admission = this.#recentWindow(keyId).admit(now);
    if (!admission.admitted) this.#blocked.add(keyId);
    return admission;
  }

  /** Takes up a block that began before this process did. */
  restoreBlock(keyId: string, remainingMs: number): void {
    const window = new SlidingWindow();
    window.block(this.#clock.monotonic(), remainingMs);
    this.#recent.set(keyId, window);
    this.#blocked.add(keyId);
  }

  /** Milliseconds until this key is let in again; 0 if it is not blocked. */
  blockRemainingMs(keyId: string): number {
    return this.#find(keyId)?.blockRemainingMs(this.#clock.monotonic()) ?? 0;
  }

  /** The blocks under way, and those that ended (0 ms left) since `forgetEndedBlock` was last called for them. */
  blocks(): { keyId: string; remainingMs: number }[] {
    return Array.from(this.#blocked, (keyId) => ({ keyId, remainingMs: this.blockRemainingMs(keyId) }));
  }

  /** Unless another block has begun since. */
  forgetEndedBlock(keyId: string): void {
    if (this.blockRemainingMs(keyId) === 0) this.#blocked.delete(keyId);
  }

  #find(keyId: string): SlidingWindow | undefined {
    return this.#recent.get(keyId) ?? this.#older.get(keyId);
  }

  #recentWindow(keyId: string): SlidingWindow {
    const known = this.#recent.get(keyId);
    if (known) return known;
    const window = this.#older.get(keyId) ?? new SlidingWindow();
    this.#older.delete(keyId);
    this.#recent.set(keyId, window);
    return window;
  }

  /** What was last used before the former turn is idle by now, unless it is blocked: forgetting it changes no answer. */
  #turn(now: number): void {
    const idle = this.#older;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#turnedAt = now;
    for (const keyId of this.#blocked) {
      const window = idle.get(keyId);
      if (window && window.blockRemainingMs(now) > 0) this.#older.set(keyId, window);
    }
  }
}
