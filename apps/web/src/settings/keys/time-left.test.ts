import { expect, test } from 'bun:test';
import { nextTick, timeLeft } from './time-left.ts';

test.each([
  [0, '0:00'],
  [-5, '0:00'],
  [1, '0:01'],
  [252_000, '4:12'],
  [300_000, '5:00'],
  [300_001, '6 min'],
  [59 * 60_000, '59 min'],
  [60 * 60_000, '1 h'],
  [(17 * 60 + 42) * 60_000, '17 h 42 min'],
  [24 * 3_600_000, '24 h'],
  [24 * 3_600_000 + 1, '24 h 1 min'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 days'],
  // Days are rounded down, as in hubctl, except that a lifetime that was just set to 90 days still shows 90 days.
  [4.9 * 86_400_000, '4 days'],
  [90 * 86_400_000 - 1_000, '90 days'],
  [6 * 86_400_000, '6 days'],
])('formats %p ms as %p', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

test('ticks every second up to five minutes, and every minute beyond that', () => {
  expect(nextTick(4_200)).toBe(200);
  expect(nextTick(300_000)).toBe(1_000);
  expect(nextTick(361_000)).toBe(1_000);
  expect(nextTick(420_000)).toBe(60_000);
});
