import type { Clock, SinceBoot } from '../ports.ts';

/**
 * A clock that stands until a test moves it. Whoever sleeps on it wakes when it has been moved far enough;
 * `slept` tells a test that somebody is waiting, so that it need not guess.
 */
export class TestClock implements Clock {
  #now: number;
  #monotonic = 0;
  #boot: { name: string; at: number } | null = { name: 'boot 0', at: 0 };
  #sleepers: { until: number; wake: () => void }[] = [];
  #watchers: { count: number; resolve: () => void }[] = [];

  constructor(start = Date.parse('2026-03-01T09:30:00.000Z')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ until: this.#monotonic + ms, wake });
      this.#tellWatchers();
    });
  }

  sinceBoot(): SinceBoot | null {
    return this.#boot && { boot: this.#boot.name, ms: this.#monotonic - this.#boot.at };
  }

  /** The machine starts again now. */
  reboot(): void {
    this.#boot = { name: `boot at ${this.#monotonic}`, at: this.#monotonic };
  }

  /** From now on the machine is one that does not tell since when it runs. */
  hideBoot(): void {
    this.#boot = null;
  }

  /** Moves both the wall clock and the monotonic one. */
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.until <= this.#monotonic);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > this.#monotonic);
    for (const sleeper of due) sleeper.wake();
  }

  /** Sets the wall clock alone, as an administrator or NTP may. */
  setWall(ms: number): void {
    this.#now = ms;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Resolves once `count` callers are asleep. */
  slept(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push({ count, resolve });
      this.#tellWatchers();
    });
  }

  #tellWatchers(): void {
    const reached = this.#watchers.filter((watcher) => this.#sleepers.length >= watcher.count);
    this.#watchers = this.#watchers.filter((watcher) => !reached.includes(watcher));
    for (const watcher of reached) watcher.resolve();
  }
}
