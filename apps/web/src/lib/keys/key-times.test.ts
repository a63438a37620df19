import { describe, expect, test } from 'bun:test';
import { clockTime } from '../time/format.ts';
import {
  dayAndClock,
  dayProblem,
  dayText,
  endOf,
  endText,
  expiryOf,
  nextTick,
  offeredDays,
  successorExpiry,
  timeLeft,
} from './key-times.ts';

describe('the times of a key', () => {
  const HOUR_MS = 3_600_000;
  /** Nine in the morning in the time zone of the tests. */
  const NOW = new Date(2026, 10, 12, 9).getTime();
  const inHours = (hours: number) => new Date(NOW + hours * HOUR_MS).toISOString();

  test.each([
    [0.01, `today, ${clockTime(inHours(0.01))}, in 0:36`],
    [3, `today, ${clockTime(inHours(3))}, in 3 h`],
    [20, `tomorrow, ${clockTime(inHours(20))}, in 20 h`],
    [30, `tomorrow, ${clockTime(inHours(30))}`],
    [46, dayAndClock(inHours(46), NOW)],
    [72, dayText(inHours(72), NOW)],
  ])('an end in %p hours is "%s"', (hours, text) => expect(endText(inHours(hours), NOW)).toBe(text));

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
    expect([4_200, 300_000, 361_000, 420_000].map(nextTick)).toEqual([200, 1_000, 1_000, 60_000]);
  });
});

describe('the lifetime of a key', () => {
  const DAY_MS = 86_400_000;
  /** Noon in the time zone of the tests. */
  const NOW = new Date(2026, 10, 12, 12).getTime();

  test.each([
    [null, [30, 90, 365]],
    [60, [30, 60]],
    [90, [30, 90]],
    [7, [7]],
    [1_000, [30, 90, 365, 1_000]],
  ])('with a maximum of %p days, offers %p', (max, days) => expect(offeredDays(max)).toEqual(days));

  test('sends days as a lifetime, regardless of the browser clock, and includes the whole day of an expiry date', () => {
    expect(expiryOf('never')).toEqual({});
    expect(expiryOf({ days: 90 })).toEqual({ lifetimeSeconds: 7_776_000 });
    const { expiresAt = '' } = expiryOf({ until: '2027-02-28' });
    expect(Date.parse(expiresAt)).toBe(new Date(2027, 2, 1).getTime());
    expect(endOf({ until: 'soon' }, NOW)).toBeNull();
  });

  test('rejects a date that is invalid, in the past or beyond the maximum lifetime', () => {
    expect(dayProblem('', null, NOW)).toBe('Choose an expiry date.');
    expect(dayProblem('2026-11-11', null, NOW)).toBe('That date has passed. Choose a later one.');
    expect(dayProblem('2026-11-12', null, NOW)).toBe('');
    expect(dayProblem('2026-12-11', 30, NOW)).toBe('');
    expect(dayProblem('2026-12-12', 30, NOW)).toBe('Keys can last at most 30 days. Choose an earlier date.');
    expect(dayProblem('2027-01-01', 30, NOW)).toBe('Keys can last at most 30 days. Choose an earlier date.');
    expect(dayProblem('2027-01-01', 1, NOW)).toBe('Keys can last at most 1 day. Choose an earlier date.');
  });

  test('gives the successor of a key that lasts longer than is now allowed the maximum lifetime', () => {
    const createdAt = new Date(NOW).toISOString();
    const lasting = (days: number) => ({ createdAt, expiresAt: new Date(NOW + days * DAY_MS).toISOString() });
    const forEver = { createdAt, expiresAt: null };
    expect(successorExpiry(forEver, 90)).toEqual({ lifetimeSeconds: 7_776_000 });
    expect(successorExpiry(lasting(30), 90)).toEqual({});
    expect(successorExpiry(forEver, null)).toEqual({});
  });
});
