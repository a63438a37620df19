import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseDateTime } from './time.ts';

const read = (text: string): string | null => {
  const instant = parseDateTime(text);
  return instant === null ? null : new Date(instant).toISOString();
};
const two = (number: number) => String(number).padStart(2, '0');

describe('parsing an RFC 3339 date-time', () => {
  test.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01t09:30z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30-00:00', '2026-03-01T09:30:00.000Z'],
    // Any number of fraction digits, truncated to milliseconds.
    ['2026-03-01T09:30:00.1Z', '2026-03-01T09:30:00.100Z'],
    [`2026-03-01T09:30:59.05${'9'.repeat(1000)}Z`, '2026-03-01T09:30:59.059Z'],
    // A leap second is the next second, whatever its fraction and offset.
    ['2016-12-31T23:59:60.75Z', '2017-01-01T00:00:00.000Z'],
    ['2017-01-01T05:29:60+05:30', '2017-01-01T00:00:00.000Z'],
    ['1969-12-31T15:59:60-08:00', '1970-01-01T00:00:00.000Z'],
  ])('reads %p', (text, instant) => expect(read(text)).toBe(instant));

  const WRONG = {
    'leap seconds that are not at 23:59:60 UTC':
      '2026-03-01T09:30:60Z 2016-12-31T22:59:60Z 2016-12-31T23:58:60Z 2016-12-31T23:59:60+01:00 2017-01-01T00:59:60+00:59',
    'days that do not exist':
      '2026-00-01T00:00Z 2026-13-01T00:00Z 2026-01-00T00:00Z 2026-01-32T00:00Z 2026-04-31T00:00Z 2026-02-29T00:00Z 2100-02-29T00:00Z',
    'times and offsets that do not exist':
      '2026-03-01T24:00Z 2026-03-01T09:60Z 2026-03-01T09:30:61Z 2026-03-01T09:30+24:00 2026-03-01T09:30+01:60',
    'other formats':
      '2026-03-01T09:30:00.Z 2026-03-01T09:30:00,5Z 2026-03-01T09Z 2026-03-01T09:30+0100 2026-03-01T09:30+01 ' +
      '2026-03-01T09:30\u221201:00 +002026-03-01T09:30Z 26-03-01T09:30Z 2026-3-1T09:30Z 2026-W09-7T09:30Z ２０２６-03-01T09:30Z',
  };
  test.each(Object.entries(WRONG))('rejects %s', (_, texts) => {
    for (const text of texts.split(' ')) expect([text, parseDateTime(text)]).toEqual([text, null]);
  });
  test('rejects white space at the end, and nothing', () => {
    for (const text of ['2026-03-01T09:30Z\n', '']) expect(parseDateTime(text)).toBeNull();
  });

  test('agrees with Date.parse on every offset, and rejects only days that do not exist', () => {
    const part = (min: number, max: number) => fc.integer({ min, max });
    const parts = fc.tuple(
      part(1, 9998),
      part(1, 12),
      part(1, 31),
      part(0, 23),
      part(0, 59),
      part(0, 59),
      fc.constantFrom('+', '-'),
      part(0, 23),
      part(0, 59),
    );
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second, sign, offsetHours, offsetMinutes]) => {
        const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
        const text = `${date}T${two(hour)}:${two(minute)}:${two(second)}${sign}${two(offsetHours)}:${two(offsetMinutes)}`;
        const isReal = new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
        expect(parseDateTime(text)).toBe(isReal ? Date.parse(text) : null);
      }),
    );
  });
});
