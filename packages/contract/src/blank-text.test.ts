import { describe, expect, test } from 'bun:test';
import { isBlank } from './blank-text.ts';

describe('a text is blank if it consists of', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \t\r\n\v\f\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000'],
    ['a zero-width space', '\u200b'],
    ['joiners', '\u200c\u200d'],
    ['word joiners and byte order marks', '\u2060\ufeff'],
    ['empty Braille patterns', '\u2800\u2800'],
    ['Hangul fillers', '\u3164\u115f\u1160\uffa0'],
    ['soft hyphens', '\u00ad'],
    ['variation selectors', '\ufe0f\u{e0100}\u180b'],
    ['tags', '\u{e0020}\u{e007f}'],
    ['bidirectional controls', '\u200e\u200f\u061c\u202a\u202e\u2066\u2069'],
    ['control characters', '\u0001\u001b\u007f\u009f'],
    ['several of them between spaces', ' \u200b \u3164\n'],
  ])('%s', (_, text) => expect(isBlank(text)).toBeTrue());
});

describe('a text is not blank with', () => {
  test.each([
    ['a letter', 'a'],
    ['a letter after invisible characters', '\u200b\u3164a'],
    ['an emoji', '👩‍🚀'],
    ['a Braille pattern', '\u2801'],
    ['punctuation', '.'],
    ['a character that is not assigned', '\u0378'],
    ['NUL, which is rejected with its own message', '\0'],
    ['a lone surrogate', '\ud800'],
  ])('%s', (_, text) => expect(isBlank(text)).toBeFalse());
});
