import { expect, test } from 'bun:test';
import { parseDuration, showDistance, showSpan, showTime } from './format.ts';

const NOW = Date.parse('2026-03-01T09:30:00.000Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const DAY = 86_400;

test('parseDuration accepts days, hours and minutes', () => {
  expect(parseDuration('90d')).toBe(90 * DAY);
  expect(parseDuration('12h')).toBe(12 * 3600);
  expect(parseDuration('30m')).toBe(30 * 60);
});

test('parseDuration rejects missing and unknown units, fractions, plus and minus signs, and zero', () => {
  for (const text of ['90', '5w', '5D', '1.5d', '-1d', '+1d', '0d', '', 'd', ' 1d', '1d ', '1d1h', '9999999999d']) {
    expect(parseDuration(text)).toBeNull();
  }
});

test('showDistance rounds down, except for a time that was just set', () => {
  expect(showDistance(at(90 * DAY - 1), NOW)).toBe('in 90 days');
  expect(showDistance(at(90 * DAY - 60), NOW)).toBe('in 89 days');
  expect(showDistance(at(4.9 * DAY), NOW)).toBe('in 4 days');
  expect(showDistance(at(47 * 3600), NOW)).toBe('in 47 hours');
  expect(showDistance(at(3600), NOW)).toBe('in 1 hour');
  expect(showDistance(at(90), NOW)).toBe('in 1 minute');
  expect(showDistance(at(20), NOW)).toBe('in less than a minute');
  expect(showDistance(at(-20), NOW)).toBe('just now');
  expect(showDistance(at(-7200), NOW)).toBe('2 hours ago');
  expect(showDistance(at(-3 * DAY), NOW)).toBe('3 days ago');
});

test('showSpan and showTime are short, and showTime includes the time zone', () => {
  expect(showSpan(1)).toBe('1 second');
  expect(showSpan(59)).toBe('59 seconds');
  expect(showTime('2026-03-01T09:30:12.345Z')).toBe('2026-03-01 09:30 UTC');
});
