import { randomInt } from 'node:crypto';
import type { ManualClockRun } from './hand-clocked-life.ts';
import type { LimitedKeys } from './limited-keys.ts';
import { PUBLISHED } from './rule.ts';

const { requests, windowMs, blockMs } = PUBLISHED;

/**
 * Runs windows that end in a block: all keys at the same time, each over its limit. Returns the number of accepted
 * requests in each window.
 */
export async function burst(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<number[]> {
  const passed: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const before = keys.passed;
    await keys.send(() => requests + randomInt(1, 5));
    passed.push(keys.passed - before);
    // Requests are sent shortly after the start of the block, in its middle, late enough to be in the next window if
    // they counted, and just before the end of the block.
    const soon = randomInt(1, 1_000);
    const late = blockMs - randomInt(1_000, windowMs);
    const start = run.nowMs;
    for (const time of [1, soon, randomInt(soon, late), late, blockMs - 1]) {
      await run.advance(start + time - run.nowMs);
      await keys.send(() => 1);
    }
    await run.advance(1);
  }
  return passed;
}

/**
 * Repeatedly sends sixty requests with each key, each time exactly when the previous ones leave the window; none may be
 * rejected.
 */
export async function fillToTheBrim(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<number> {
  const before = keys.passed;
  for (let window = 0; window < windows; window += 1) {
    await keys.send(() => requests - 20);
    await run.advance(windowMs / 2);
    await keys.send(() => 20);
    await run.advance(windowMs / 2);
  }
  // Every second key sends a 61st request, one millisecond before there is room for it.
  await keys.send(() => requests - 20);
  await run.advance(windowMs - 1);
  await keys.send((n) => (n % 2) * 21);
  await run.advance(1);
  await keys.send(() => 20);
  return keys.passed - before;
}

/**
 * Sends a few requests from time to time, so that the windows slide. Some keys reach their limit and wait for the end
 * of their block.
 */
export async function slide(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<void> {
  const end = run.nowMs + windows * windowMs;
  // The activity of each key. Most send close to sixty requests per minute.
  const lively = Array.from({ length: keys.size }, () => 1 + Math.random() * 2);
  while (run.nowMs < end) {
    await keys.send((n) => Math.floor(Math.random() * 2 * (lively[n] ?? 1)));
    await run.advance(randomInt(100) < 10 ? 0 : randomInt(4_000));
  }
}
