import { expect, test } from 'bun:test';
import { isBlank } from './blank-text.ts';

test.each([
  ['nothing', ''],
  ['white space', ' \t\r\n\v\f\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000'],
  ['zero-width spaces, joiners and byte order marks', '\u200b\u200c\u200d\u2060\ufeff\u00ad'],
  ['empty Braille patterns and Hangul fillers', '\u2800\u2800\u3164\u115f\u1160\uffa0'],
  ['variation selectors and tags', '\ufe0f\u{e0100}\u180b\u{e0020}\u{e007f}'],
  ['bidirectional controls', '\u200e\u200f\u061c\u202a\u202e\u2066\u2069'],
  ['control characters', '\u0001\u001b\u007f\u009f'],
])('a text is blank if it consists of %s', (_, text) => {
  for (const character of text) expect([character, isBlank(character)]).toEqual([character, true]);
  expect(isBlank(` ${text}\n`)).toBe(true);
  expect(isBlank(`${text}a`)).toBe(false);
});

// NUL and surrogates are rejected with a message of their own.
test.each(['👩‍🚀', '\u2801', '.', '\u0378', '\0', '\ud800'])('a text with %j is not blank', (text) => {
  expect(isBlank(text)).toBe(false);
});
