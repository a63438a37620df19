import { expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureFlush } from './flush-time.ts';

test('the time of a flush is the median of some, and nothing is left behind', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-flush-'));
  // Each look at the clock is as far from the one before as its number says: one flush is very slow, and does not count.
  let [looks, now] = [0, 0];
  const monotonic = () => {
    looks += 1;
    now += looks === 2 ? 1_000 : 3;
    return now;
  };
  expect(measureFlush(dataDir, monotonic)).toBe(3);
  expect(readdirSync(dataDir)).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

test('where nothing can be written it is infinite', () => {
  expect(measureFlush(join(tmpdir(), 'hub-no-such-folder'), () => 0)).toBe(Number.POSITIVE_INFINITY);
});
