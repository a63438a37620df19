import { randomInt } from 'node:crypto';
import type { ManualClockRun } from './hand-clocked-life.ts';
import type { LimitedKeys } from './limited-keys.ts';
import { PUBLISHED } from './rule.ts';

const { requests, windowMs, blockMs } = PUBLISHED;

/** Windows that end in a block: all keys at once, and more of each than may pass. Returns how many passed in each window. */
export async function burst(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<number[]> {
  const passed: number[] = [];
  for (let window = 0; window < windows; window += 1) {
    const before = keys.passed;
    await keys.send(() => requests + randomInt(1, 5));
    passed.push(keys.passed - before);
    // Soon after the beginning of the block, somewhere in it, so late that it would be in the window after it, and just before its end.
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

/** Sixty of each key, again and again in the very millisecond in which the first of them leaves the window: nothing is refused. */
export async function fillToTheBrim(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<number> {
  const before = keys.passed;
  for (let window = 0; window < windows; window += 1) {
    await keys.send(() => requests - 20);
    await run.advance(windowMs / 2);
    await keys.send(() => 20);
    await run.advance(windowMs / 2);
  }
  // One more is one too many, for every second key by one millisecond.
  await keys.send(() => requests - 20);
  await run.advance(windowMs - 1);
  await keys.send((n) => (n % 2) * 21);
  await run.advance(1);
  await keys.send(() => 20);
  return keys.passed - before;
}

/** Now and then a few, so that windows slide; some keys reach their limit, and sit out their block. */
export async function slide(run: ManualClockRun, keys: LimitedKeys, windows: number): Promise<void> {
  const end = run.nowMs + windows * windowMs;
  // How lively each key is: most are on the edge of sixty in a minute.
  const lively = Array.from({ length: keys.size }, () => 1 + Math.random() * 2);
  while (run.nowMs < end) {
    await keys.send((n) => Math.floor(Math.random() * 2 * (lively[n] ?? 1)));
    await run.advance(randomInt(100) < 10 ? 0 : randomInt(4_000));
  }
}
