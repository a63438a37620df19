import { expect, test } from 'bun:test';
import { closeBidi } from './bidi.ts';

test.each([
  ['plain', 'plain'],
  ['\u202egpj.exe', '\u2068\u202egpj.exe\u202c\u2069'],
  ['\u202aa\u202c b', '\u2068\u202aa\u202c\u2069 b'],
  ['\u2066a\u2069', '\u2066a\u2069'],
  ['\u2067a\u202eb', '\u2067a\u2068\u202eb\u202c\u2069\u2069'],
  // The end of an isolate closes everything opened within it.
  ['\u2067a\u202eb\u2069 c', '\u2067a\u2068\u202eb\u202c\u2069\u2069 c'],
  ['\u202c\u2069 stray', '\u202c\u2069 stray'],
  ['\u202ea\u2069 stray', '\u2068\u202ea stray\u202c\u2069'],
])('closes the controls in %j and isolates embeddings and overrides', (text, closed) =>
  expect(closeBidi(text)).toBe(closed),
);
