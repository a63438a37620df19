import { expect, test } from 'bun:test';
import { shownText } from './shown-text.ts';

const ACUTE = '\u0301';

test('text in any language stays unchanged', () => {
  for (const text of ['Übergröße', 'ประเทศไทย', 'हिन्दी', 'བོད་ཡིག', 'עִבְרִית', '👩‍👩‍👧', `a${ACUTE.repeat(30)}b`]) {
    expect(shownText(text)).toBe(text);
  }
});

test('shows at most thirty combining marks on one letter', () => {
  expect(shownText(`a${ACUTE.repeat(40_000)}b`)).toBe(`a${ACUTE.repeat(30)}…b`);
  expect(shownText(`${ACUTE.repeat(31)}a${ACUTE.repeat(31)}`)).toBe(`${ACUTE.repeat(30)}…a${ACUTE.repeat(30)}…`);
});

test('closes controls that change the direction of text', () => {
  expect(shownText('\u202eabc')).toBe('\u2068\u202eabc\u202c\u2069');
});
