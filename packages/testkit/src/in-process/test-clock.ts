import type { Clock, SinceBoot } from '../../../../apps/api/src/for-tests.ts';

/**
 * A clock that only moves when a test moves it. Sleeping callers wake when the clock reaches the end of their sleep;
 * `untilSleeping` lets a test wait until they are asleep.
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

  /** Whole milliseconds, like `Date.now()`. */
  now(): number {
    return Math.floor(this.#now);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#sleepers.push({ until: this.#monotonic + ms, wake });
      this.#notifyWatchers();
    });
  }

  sinceBoot(): SinceBoot | null {
    return this.#boot && { boot: this.#boot.name, ms: this.#monotonic - this.#boot.at };
  }

  /** Simulates a restart of the machine. */
  reboot(): void {
    this.#boot = { name: `boot at ${this.#monotonic}`, at: this.#monotonic };
  }

  /** Simulates a machine that does not report its boot time. */
  hideBoot(): void {
    this.#boot = null;
  }

  /** Moves the wall clock and the monotonic clock. */
  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.until <= this.#monotonic);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.until > this.#monotonic);
    for (const sleeper of due) sleeper.wake();
  }

  /** Sets only the wall clock, as an administrator or NTP may. */
  setWall(ms: number): void {
    this.#now = ms;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Resolves once `count` callers are sleeping. */
  untilSleeping(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push({ count, resolve });
      this.#notifyWatchers();
    });
  }

  #notifyWatchers(): void {
    const reached = this.#watchers.filter((watcher) => this.#sleepers.length >= watcher.count);
    this.#watchers = this.#watchers.filter((watcher) => !reached.includes(watcher));
    for (const watcher of reached) watcher.resolve();
  }
}

/** Advances the clock until all responses have arrived, including those delayed because authentication failed. */
export async function settleDelayed<T>(clock: TestClock, responses: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = responses.finally(() => {
    isSettled = true;
  });
  while (!isSettled) {
    if (clock.sleeping > 0) clock.advance(3_000);
    await new Promise(setImmediate);
  }
  return settled;
}
