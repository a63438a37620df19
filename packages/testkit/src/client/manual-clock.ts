import type { Clock } from '../../../client/src/clock.ts';

/**
 * A clock that stands still until a test advances it. With `armed`, a test can wait until the client has set a timer.
 */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; ring: () => void }>();
  #watchers: { count: number; resolve: () => void }[] = [];

  /** `readingMs`: the duration of each clock reading, as on a real machine, where no two readings are the same. */
  constructor(readonly readingMs = 0) {}

  now(): number {
    this.#now += this.readingMs;
    return this.#now;
  }

  setTimer(delayMs: number, ring: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), ring };
    this.#timers.add(timer);
    const reached = this.#watchers.filter(({ count }) => this.#timers.size >= count);
    this.#watchers = this.#watchers.filter((watcher) => !reached.includes(watcher));
    for (const { resolve } of reached) resolve();
    return () => this.#timers.delete(timer);
  }

  /** The number of timers that are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Resolves once at least `count` timers are set. */
  armed(count = 1): Promise<void> {
    if (this.#timers.size >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  /** The time of the next timer; infinite if none is set. */
  get nextAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#timers].map(({ at }) => at));
  }

  /** Advances the clock and fires all timers that become due, in order. */
  advance(ms: number): void {
    const until = this.#now + ms;
    while (this.nextAt <= until) {
      this.#now = Math.max(this.#now, this.nextAt);
      for (const timer of this.#timers) {
        if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
        timer.ring();
        break;
      }
    }
    this.#now = Math.max(this.#now, until);
  }
}
