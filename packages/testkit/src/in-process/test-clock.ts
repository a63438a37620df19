import type { Clock, SinceBoot } from '../../../../apps/api/src/for-tests.ts';
import { Changes } from '../concurrency.ts';

/**
 * A clock that only moves when a test moves it. Sleeping callers wake when the clock reaches the end of their sleep;
 * `untilSleeping` lets a test wait until they are asleep.
 */
export class TestClock implements Clock {
  #monotonic = 0;
  /** The wall clock is this much ahead of the monotonic one. */
  #aheadMs: number;
  #boot: { name: string; at: number } | null = { name: 'boot 0', at: 0 };
  readonly #timers = new Set<{ at: number; ring: () => void }>();
  readonly #changes = new Changes();

  constructor(start = Date.parse('2026-03-01T09:30:00.000Z')) {
    this.#aheadMs = start;
  }

  /** Whole milliseconds, like `Date.now()`. */
  now(): number {
    return Math.floor(this.#aheadMs + this.#monotonic);
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => void this.setTimer(ms, wake));
  }

  /** Calls `ring` after a delay, unless the returned function is called before. */
  setTimer(delayMs: number, ring: () => void): () => void {
    const timer = { at: this.#monotonic + Math.max(0, delayMs), ring };
    this.#timers.add(timer);
    this.#changes.happened();
    return () => this.#timers.delete(timer);
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

  /** Moves the wall clock and the monotonic clock. Everything due wakes, in order. */
  advance(ms: number): void {
    const end = this.#monotonic + ms;
    while (this.nextAt <= end) {
      this.moveTo(this.nextAt);
      for (const timer of this.#timers) {
        if (timer.at > this.#monotonic || !this.#timers.delete(timer)) continue;
        timer.ring();
        break;
      }
    }
    this.moveTo(end);
  }

  /** Moves the clocks forward to this time of the monotonic one, and wakes nobody. */
  protected moveTo(monotonic: number): void {
    this.#monotonic = Math.max(this.#monotonic, monotonic);
  }

  /** Sets only the wall clock, as an administrator or NTP may. */
  setWall(ms: number): void {
    this.#aheadMs = ms - this.#monotonic;
  }

  /** How many are asleep. */
  get sleeping(): number {
    return this.#timers.size;
  }

  /** When the next one wakes, on the monotonic clock; infinite if nobody sleeps. */
  get nextAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#timers].map(({ at }) => at));
  }

  /** Resolves once `count` callers are sleeping. */
  untilSleeping(count = 1): Promise<void> {
    return this.#changes.until(() => this.sleeping >= count);
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
