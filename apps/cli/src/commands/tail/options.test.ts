import { describe, expect, test } from 'bun:test';
import { CliError } from '../../runtime/errors.ts';
import { readSince } from './options.ts';

// Tests run in the UTC time zone.
const NOW = Date.parse('2026-03-01T09:30:00Z');

describe('--since', () => {
  test.each([
    ['90s', '2026-03-01T09:28:30Z'],
    ['10m', '2026-03-01T09:20:00Z'],
    ['2h', '2026-03-01T07:30:00Z'],
    ['+2w', '2026-02-15T09:30:00Z'],
    ['3d', '2026-02-26T09:30:00Z'],
    ['2026-02-28T09:30Z', '2026-02-28T09:30:00Z'],
    ['2026-02-28t09:30:00+01:00', '2026-02-28T08:30:00Z'],
    ['2026-02-28', '2026-02-28T00:00:00Z'],
    ['2026-02-28 23:15', '2026-02-28T23:15:00Z'],
    ['2026-02-28T23:15:01', '2026-02-28T23:15:01Z'],
    ['09:15', '2026-03-01T09:15:00Z'],
    ['09:31', '2026-02-28T09:31:00Z'],
    ['99999d', '1970-01-01T00:00:00Z'],
  ])('accepts %s as a time', (text, expected) => {
    expect(readSince(text, NOW)).toEqual({ kind: 'time', at: Date.parse(expected) });
  });

  test('accepts an event number and "all"', () => {
    expect(readSince('41', NOW)).toEqual({ kind: 'event', seq: 41 });
    expect(readSince('0', NOW)).toEqual({ kind: 'event', seq: 0 });
    expect(readSince('all', NOW)).toEqual({ kind: 'all' });
  });

  test.each(['yesterday', '-5m', '5y', '2026-02-31', '2026-13-01', '24:00', '12:60', '2026-02-28T25:00', '5m3s'])(
    'rejects %s and lists the accepted forms',
    (text) => {
      const read = () => readSince(text, NOW);
      expect(read).toThrow(CliError);
      expect(read).toThrow('Invalid --since');
    },
  );

  test('rejects a time in the future', () => {
    expect(() => readSince('2026-03-02T00:00Z', NOW)).toThrow('is in the future');
  });
});
