import { expect, test } from 'bun:test';
import { systemClock } from './system-clock.ts';
import { systemRandom } from './system-random.ts';

test('the monotonic time never falls, and sleep lasts at least as long as it was told', async () => {
  const before = systemClock.monotonic();
  await systemClock.sleep(5);
  expect(systemClock.monotonic() - before).toBeGreaterThanOrEqual(4.9);
});

test('the wall clock counts milliseconds since 1970', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
});

test('random bytes have the length that was asked for and do not repeat', () => {
  const draws = Array.from({ length: 100 }, () => Buffer.from(systemRandom.bytes(16)).toString('hex'));
  expect(draws.every((draw) => draw.length === 32)).toBe(true);
  expect(new Set(draws).size).toBe(100);
});
