import { expect, test } from 'bun:test';
import { lengthOf } from './text-length.ts';

test.each([
  [94, '', false],
  [95, '5 characters left.', false],
  [100, '0 characters left.', false],
  [101, '1 too many: at most 100 characters are allowed.', true],
])('%i of 100 characters: %j', (count, text, isTooLong) => {
  expect(lengthOf('a'.repeat(count), 100)).toEqual({ text, isTooLong });
  // What looks like one character to whoever counts code points is two units of the text.
  expect(lengthOf('😀'.repeat(count), 100)).toEqual({ text, isTooLong });
});

test('large numbers can be read', () => {
  expect(lengthOf('a'.repeat(41_234), 40_000).text).toBe('1,234 too many: at most 40,000 characters are allowed.');
});
