import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseDateTime } from './time.ts';

const read = (text: string): string | null => {
  const instant = parseDateTime(text);
  return instant === null ? null : new Date(instant).toISOString();
};

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

  const [DAY, MINUTE] = ['2026-03-01', '2026-03-01T09:30'];
  test.each(
    Object.entries({
      'leap seconds that are not at 23:59:60 UTC': `${MINUTE}:60Z 2016-12-31T22:59:60Z 2016-12-31T23:58:60Z
      2016-12-31T23:59:60+01:00 2017-01-01T00:59:60+00:59`,
      'days that do not exist': `2026-00-01T00:00Z 2026-13-01T00:00Z 2026-01-00T00:00Z 2026-01-32T00:00Z 2026-04-31T00:00Z
      2026-02-29T00:00Z 2100-02-29T00:00Z`,
      'times and offsets that do not exist': `${DAY}T24:00Z ${DAY}T09:60Z ${MINUTE}:61Z ${MINUTE}+24:00 ${MINUTE}+01:60`,
      'other formats': `${MINUTE}:00.Z ${MINUTE}:00,5Z ${DAY}T09Z ${MINUTE}+0100 ${MINUTE}+01 ${MINUTE}\u221201:00
      +00${MINUTE}Z 26-03-01T09:30Z 2026-3-1T09:30Z 2026-W09-7T09:30Z ２０２６-03-01T09:30Z`,
    }),
  )('rejects %s', (_, texts) => {
    for (const text of texts.split(/\s+/)) expect([text, parseDateTime(text)]).toEqual([text, null]);
  });
  test('rejects white space at the end, and nothing', () => {
    for (const text of [`${MINUTE}Z\n`, '']) expect(parseDateTime(text)).toBeNull();
  });

  test('agrees with Date.parse on every offset, and rejects only days that do not exist', () => {
    const part = (min: number, max: number, length = 2) =>
      fc.integer({ min, max }).map((number) => String(number).padStart(length, '0'));
    const times = fc.tuple(part(0, 23), part(0, 59)).map((parts) => parts.join(':'));
    const dates = fc.tuple(part(1, 9998, 4), part(1, 12), part(1, 31)).map((parts) => parts.join('-'));
    fc.assert(
      fc.property(dates, times, part(0, 59), fc.constantFrom('+', '-'), times, (date, time, second, sign, offset) => {
        const text = `${date}T${time}:${second}${sign}${offset}`;
        const isReal = new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
        expect(parseDateTime(text)).toBe(isReal ? Date.parse(text) : null);
      }),
    );
  });
});
