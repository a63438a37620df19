import type { Clock } from '../clock.ts';

/**
 * Time that stands until a test moves it. `armed` tells a test that the client has begun to wait, so that it need not
 * guess.
 */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ at: number; ring: () => void }>();
  #watchers: { count: number; resolve: () => void }[] = [];

  /** `readingMs`: how long each reading takes, as on a real machine, where no two readings are alike. */
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

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Resolves once at least `count` timers are set. */
  armed(count = 1): Promise<void> {
    if (this.#timers.size >= count) return Promise.resolve();
    return new Promise((resolve) => this.#watchers.push({ count, resolve }));
  }

  /** When the next timer rings; infinite if none is set. */
  get nextAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#timers].map(({ at }) => at));
  }

  /** Moves the time, and rings what falls due on the way in the order of its time. */
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
