import { expect, test } from 'bun:test';
import { hitLine } from './hit-line.ts';

const marked = (text: string, query: string) =>
  hitLine(text, query)
    .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
    .join('');

test('the words that were looked for are marked, whatever the case and the accents', () => {
  expect(marked('Über die Straße: cafe, Café', 'uber strasse CAFE')).toBe('[Über] die [Straße]: [cafe], [Café]');
});

test('the last word is the beginning of one, the others are whole', () => {
  expect(marked('deploys deploy deployed', 'deploy de')).toBe('[de]ploys [deploy] [de]ployed');
  expect(marked('deploys deploy', 'deploy ')).toBe('deploys [deploy]');
});

test('words in quotation marks are marked one by one, and signs are none', () => {
  expect(marked('c++ is not build 42', '"build 42" c++')).toBe('[c]++ is not [build] [42]');
  expect(marked('nothing here', '+++')).toBe('nothing here');
});

test('of a long text it is the part that was found', () => {
  const line = marked(`${'one two three '.repeat(40)}needle ${'four five six '.repeat(40)}`, 'needle');
  expect(line).toStartWith('…');
  expect(line).toEndWith('…');
  expect(line).toContain('three [needle] four');
  expect(line.length).toBeLessThan(220);
});

test('no character is cut in two', () => {
  expect(marked(`${'a'.repeat(199)}😀 b`, 'zz')).toBe(`${'a'.repeat(199)}…`);
});
