import { expect, test } from 'bun:test';
import { clockTime } from '../../time/format.ts';
import { dayAndClock, dayText, endText, exactText } from './key-times.ts';

const HOUR_MS = 3_600_000;
/** Nine in the morning in the time zone of the tests. */
const NOW = new Date(2026, 10, 12, 9).getTime();
const inHours = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

test('includes the time of day for an end within two days, and also the time left for an end within 24 hours', () => {
  expect(endText(inHours(72), NOW)).toBe(dayText(inHours(72), NOW));
  expect(endText(inHours(3), NOW)).toBe(`today, ${clockTime(inHours(3))}, in 3 h`);
  expect(endText(inHours(0.01), NOW)).toBe(`today, ${clockTime(inHours(0.01))}, in 0:36`);
  expect(endText(inHours(20), NOW)).toBe(`tomorrow, ${clockTime(inHours(20))}, in 20 h`);
  expect(endText(inHours(30), NOW)).toBe(`tomorrow, ${clockTime(inHours(30))}`);
  expect(endText(inHours(46), NOW)).toBe(dayAndClock(inHours(46), NOW));
});

test('formats the time of day the same way in exact times', () => {
  expect(exactText(NOW)).toEndWith(clockTime(inHours(0)));
});
