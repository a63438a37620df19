import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureFlush } from './flush-time.ts';

test('measures the median time of several flushes, and leaves no file behind', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-flush-'));
  // Each reading advances the clock by 3 ms, except for one by 1,000 ms: that slow flush does not affect the median.
  let [readings, now] = [0, 0];
  const monotonic = () => {
    readings += 1;
    now += readings === 2 ? 1_000 : 3;
    return now;
  };
  expect(measureFlush(dataDir, monotonic)).toBe(3);
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

test('returns infinity if nothing can be written', () => {
  expect(measureFlush(join(tmpdir(), 'hub-no-such-folder'), () => 0)).toBe(Number.POSITIVE_INFINITY);
});
