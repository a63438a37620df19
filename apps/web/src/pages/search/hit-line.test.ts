import { expect, test } from 'bun:test';
import { hitLine } from './hit-line.ts';

const marked = (text: string, query: string) =>
  hitLine(text, query)
    .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
    .join('');

test('highlights the words of the query, ignoring case and accents', () => {
  expect(marked('Über die Straße: cafe, Café', 'uber strasse CAFE')).toBe('[Über] die [Straße]: [cafe], [Café]');
  expect(marked('Η Ελλάδα, ΕΛΛΆΣ', 'ελλαδα ΕΛΛΑΣ')).toBe('Η [Ελλάδα], [ΕΛΛΆΣ]');
  expect(marked('אמר שָׁלוֹם לך', 'שלום ')).toBe('אמר [שָׁלוֹם] לך');
  expect(marked('ﬁle Ｈｕｂ', 'file hub')).toBe('[ﬁle] [Ｈｕｂ]');
});

test('matches the last word as the start of a word and the others as whole words', () => {
  expect(marked('deploys deploy deployed', 'deploy de')).toBe('[de]ploys [deploy] [de]ployed');
  expect(marked('deploys deploy', 'deploy ')).toBe('deploys [deploy]');
});

test('highlights quoted words separately and ignores punctuation', () => {
  expect(marked('c++ is not build 42', '"build 42" c++')).toBe('[c]++ is not [build] [42]');
  expect(marked('nothing here', '+++')).toBe('nothing here');
});

test('shows the part of a long text that matches', () => {
  const line = marked(`${'one two three '.repeat(40)}needle ${'four five six '.repeat(40)}`, 'needle');
  expect(line).toStartWith('…');
  expect(line).toEndWith('…');
  expect(line).toContain('three [needle] four');
  expect(line.length).toBeLessThan(220);
});

test('never splits a character', () => {
  expect(marked(`${'a'.repeat(199)}😀 b`, 'zz')).toBe(`${'a'.repeat(199)}…`);
});
