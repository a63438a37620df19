import { expect, test } from 'bun:test';
import { weekdayNames, zoneText } from './dates.ts';

test('names the time zone with its current offset', () => {
  expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'Europe/Berlin')).toBe('Europe/Berlin, UTC+1');
  expect(zoneText(Date.parse('2026-07-15T12:05:00Z'), 'America/New_York')).toBe('America/New York, UTC-4');
  expect(zoneText(Date.parse('2026-01-15T12:05:00Z'), 'UTC')).toBe('UTC');
});

test('starts the week on Monday', () => {
  expect(weekdayNames().map(({ short }) => short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
});
