import { expect, test } from 'bun:test';
import { isQuiet, isTimeZone } from './quiet-hours.ts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
const at = (hour: number, minute = 0) => hour * 60 + minute;
const night = { fromMinute: at(22), toMinute: at(7), days: EVERY_DAY, timeZone: 'Europe/Berlin' };
const quietAt = (hours: typeof night, time: string) => isQuiet(hours, Date.parse(time));

test('quiet hours can span midnight, in their time zone', () => {
  // In March Berlin is one hour ahead of UTC.
  expect(quietAt(night, '2026-03-02T20:59:59Z')).toBe(false);
  expect(quietAt(night, '2026-03-02T21:00:00Z')).toBe(true);
  expect(quietAt(night, '2026-03-03T05:59:59Z')).toBe(true);
  expect(quietAt(night, '2026-03-03T06:00:00Z')).toBe(false);
  // In July Berlin is two hours ahead.
  expect(quietAt(night, '2026-07-02T20:00:00Z')).toBe(true);
});

test('days refer to the day on which the quiet hours begin', () => {
  const fridays = { ...night, days: [5] };
  expect(quietAt(fridays, '2026-03-06T22:00:00Z')).toBe(true);
  expect(quietAt(fridays, '2026-03-07T05:00:00Z')).toBe(true);
  expect(quietAt(fridays, '2026-03-06T05:00:00Z')).toBe(false);
  expect(quietAt(fridays, '2026-03-07T22:00:00Z')).toBe(false);
  const sundays = { ...night, days: [7] };
  expect(quietAt(sundays, '2026-03-09T05:00:00Z')).toBe(true);
});

test('quiet hours within one day end on that day', () => {
  const noon = { fromMinute: at(12), toMinute: at(13, 30), days: [1], timeZone: 'UTC' };
  expect(quietAt(noon, '2026-03-02T12:00:00Z')).toBe(true);
  expect(quietAt(noon, '2026-03-02T13:30:00Z')).toBe(false);
  expect(quietAt(noon, '2026-03-03T12:30:00Z')).toBe(false);
});

test('isTimeZone returns false for an unknown time zone', () => {
  expect(['UTC', 'Asia/Kolkata', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});
