import { expect, test } from 'bun:test';
import { lengthOf } from './text-length.ts';

test.each([
  [94, '', false],
  [95, '5 characters left.', false],
  [100, '0 characters left.', false],
  [101, '1 character over the limit of 100.', true],
])('the hint for %i of 100 characters is %j', (count, text, isTooLong) => {
  expect(lengthOf('a'.repeat(count), 100)).toEqual({ text, isTooLong });
  // One code point may be two UTF-16 units.
  expect(lengthOf('😀'.repeat(count), 100)).toEqual({ text, isTooLong });
});

test('formats large numbers with separators', () => {
  expect(lengthOf('a'.repeat(41_234), 40_000).text).toBe('1,234 characters over the limit of 40,000.');
});
