import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.ts';

/** Sends `count` requests at the same time, and returns how many are admitted. */
const send = (window: SlidingWindow, now: number, count: number): number =>
  Array.from({ length: count }, () => window.admit(now)).filter(({ admitted }) => admitted).length;

test('the sliding window counts a request for 59,999 ms, but not at exactly 60,000 ms', () => {
  const [early, late] = [new SlidingWindow(), new SlidingWindow()];
  for (const window of [early, late]) send(window, 0, 60);
  expect(early.admit(59_999).admitted).toBe(false);
  expect(send(late, 60_000, 60)).toBe(60);
});

test('the sliding window is blocked by the 61st request for exactly 300,000 ms, however many arrive meanwhile, and is empty afterwards', () => {
  const window = new SlidingWindow();
  expect(send(window, 0, 60)).toBe(60);
  expect(window.admit(0)).toEqual({ admitted: false, newlyBlocked: true, retryAfterSeconds: 300 });
  for (let now = 0; now < 300_000; now += 100) expect(window.admit(now).admitted).toBe(false);
  expect(window.admit(299_999)).toEqual({ admitted: false, newlyBlocked: false, retryAfterSeconds: 1 });
  expect(send(window, 300_000, 60)).toBe(60);
});

test('the sliding window rounds the remaining seconds up, to at least 1', () => {
  const window = new SlidingWindow();
  send(window, 0, 61);
  const secondsAt = (now: number) => (window.admit(now) as { retryAfterSeconds: number }).retryAfterSeconds;
  const times = [0, 0.5, 1, 999, 1_000, 298_999, 299_000, 299_001, 299_999.9];
  expect(times.map(secondsAt)).toEqual([300, 300, 300, 300, 299, 2, 1, 1, 1]);
});

test('the sliding window never restores a block longer than 300 s', () => {
  const window = new SlidingWindow();
  window.block(0, 3_600_000);
  expect(window.blockRemainingMs(0)).toBe(300_000);
});

test('the sliding window agrees with a naive implementation of the rule for any times, including equal ones', () => {
  // Steps that often hit the edges: no time, 1 ms, and just below, at and above the length of the window and block.
  const step = fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 2_500 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 59_999, 60_000, 60_001, 299_999, 300_000, 300_001) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 300 }), (steps) => {
      const window = new SlidingWindow();
      const model = new NaiveLimiter();
      let now = 0;
      for (const ms of steps) {
        now += ms;
        expect(window.admit(now).admitted).toBe(model.admit(now));
      }
    }),
    { numRuns: 300 },
  );
});

/** A literal implementation of the rule, regardless of speed and memory. */
class NaiveLimiter {
  readonly #passed: number[] = [];
  #blockBegan: number | null = null;

  admit(now: number): boolean {
    if (this.#blockBegan !== null && now < this.#blockBegan + 300_000) return false;
    const since = this.#blockBegan === null ? Number.NEGATIVE_INFINITY : this.#blockBegan;
    const inWindow = this.#passed.filter((at) => at > now - 60_000 && at <= now && at > since);
    if (inWindow.length < 60) {
      this.#passed.push(now);
      return true;
    }
    this.#blockBegan = now;
    return false;
  }
}
