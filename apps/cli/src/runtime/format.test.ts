import { expect, test } from 'bun:test';
import { parseDuration, readDuration, readPast, showDistance, showSpan, showTime } from './format.ts';

const NOW = Date.parse('2026-03-01T09:30:00.000Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const DAY = 86_400;

test.each([
  ['90s', 90],
  ['15m', 15 * 60],
  ['12h', 12 * 3600],
  ['3d', 3 * DAY],
  ['2w', 14 * DAY],
  ['0s', 0],
])('parseDuration accepts %s, with and without a plus sign', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
  expect(parseDuration(`+${text}`)).toBe(seconds);
});

test.each(['90', '5y', '5D', '1.5d', '-1d', '++1d', '', 'd', ' 1d', '1d ', '1d1h', '9999999999d'])(
  'a duration cannot be %j',
  (text) => {
    expect(parseDuration(text)).toBeNull();
    expect(() => readDuration('--wait-max', text)).toThrow(`Invalid --wait-max "${text}".`);
    expect(() => readPast('--since', text, NOW)).toThrow(`Invalid --since "${text}".`);
  },
);

test('readPast accepts a duration before now and an instant', () => {
  expect(readPast('--since', '90s', NOW)).toBe('2026-03-01T09:28:30.000Z');
  expect(readPast('--since', '+2w', NOW)).toBe('2026-02-15T09:30:00.000Z');
  expect(readPast('--since', '999999w', NOW)).toBe('1970-01-01T00:00:00.000Z');
  expect(readPast('--since', '2026-02-28t10:30+01:00', NOW)).toBe('2026-02-28t10:30+01:00');
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
