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
  // As hubctl counts them: what is left is not overstated, and what was just set is named as it was set.
  [4.9 * 86_400_000, '4 days'],
  [90 * 86_400_000 - 1_000, '90 days'],
  [6 * 86_400_000, '6 days'],
])('%p ms are told as %p', (ms, text) => {
  expect(timeLeft(ms)).toBe(text);
});

test('it ticks by second below five minutes, else by minute', () => {
  expect(nextTick(4_200)).toBe(200);
  expect(nextTick(300_000)).toBe(1_000);
  expect(nextTick(361_000)).toBe(1_000);
  expect(nextTick(420_000)).toBe(60_000);
});
