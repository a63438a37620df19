import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readDue } from './due.ts';

/** Thursday. */
const NOW = Date.parse('2026-11-26T14:30:00Z');

let zone: string | undefined;
beforeAll(() => {
  zone = process.env.TZ;
  process.env.TZ = 'Europe/Zurich';
});
afterAll(() => {
  process.env.TZ = zone ?? 'Etc/UTC';
});

describe('--due', () => {
  test.each([
    ['today', '2026-11-26T22:59:00.000Z'],
    ['today 18:00', '2026-11-26T17:00:00.000Z'],
    ['tomorrow', '2026-11-27T22:59:00.000Z'],
    ['Tomorrow 17:00', '2026-11-27T16:00:00.000Z'],
    ['fri', '2026-11-27T22:59:00.000Z'],
    ['thursday', '2026-12-03T22:59:00.000Z'],
    ['mon 9:05', '2026-11-30T08:05:00.000Z'],
    ['+3d', '2026-11-29T22:59:00.000Z'],
    ['+1w 08:00', '2026-12-03T07:00:00.000Z'],
    ['3d', '2026-11-29T22:59:00.000Z'],
    ['2W', '2026-12-10T22:59:00.000Z'],
    ['90s', '2026-11-26T14:31:30.000Z'],
    ['+90m', '2026-11-26T16:00:00.000Z'],
    ['+2h', '2026-11-26T16:30:00.000Z'],
    ['2027-07-31', '2027-07-31T21:59:00.000Z'],
    ['2027-01-31 09:00', '2027-01-31T08:00:00.000Z'],
    ['2027-01-31T09:00', '2027-01-31T08:00:00.000Z'],
    // The clocks go forward in the night.
    ['2027-03-28 09:00', '2027-03-28T07:00:00.000Z'],
  ])('%s is %s in Zurich', (text, iso) => {
    expect(readDue(text, NOW).iso).toBe(iso);
  });

  test('shows the time zone, the distance and the instant, unless the text has an offset', () => {
    expect(readDue('fri 17:00', NOW).note).toBe(
      'Due Fri 2026-11-27 17:00 +01:00, in 25 hours (2026-11-27T16:00:00.000Z).',
    );
    expect(readDue('2020-01-31T09:00Z', NOW)).toEqual({ iso: '2020-01-31T09:00Z', note: null });
  });

  test.each([
    '',
    'soon',
    'to',
    'day',
    '+3',
    '+d',
    '1.5h',
    '99999999w',
    '17:00',
    'today 24:00',
    'fri 9',
    '2027-02-31',
    '2027-1-1',
    'fri 12:60',
  ])('rejects "%s"', (text) => {
    expect(() => readDue(text, NOW)).toThrow('Invalid --due');
  });

  test('rejects a day or a time that is over', () => {
    expect(() => readDue('today 09:00', NOW)).toThrow('is in the past: Thu 2026-11-26 09:00 +01:00.');
    expect(() => readDue('2026-11-25', NOW)).toThrow('is in the past');
  });
});
