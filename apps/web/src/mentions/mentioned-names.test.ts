import { describe, expect, test } from 'bun:test';
import { nameFinder } from './mentioned-names.ts';

const users = [
  { id: 'ada', name: 'Ada Lovelace' },
  { id: 'grace', name: 'Grace Hopper' },
  { id: 'grace-k', name: 'Grace Kelly' },
  { id: 'jose', name: 'José' },
  { id: 'anna', name: 'Anna' },
  { id: 'anna-b', name: 'Anna Bauer' },
  { id: 'tick', name: 'O’Neil (ops)' },
];
const everybody = users.map(({ id }) => id);
const marked = (text: string, mentions = everybody) =>
  (nameFinder(mentions, users)?.(text) ?? [])
    .filter(({ personId }) => personId)
    .map(({ text: name, personId }) => `${personId}: ${name}`);

describe('names are marked', () => {
  test.each([
    ['Thanks @Ada Lovelace!', ['ada: @Ada Lovelace']],
    ['Thanks @ada, well done', ['ada: @ada']],
    ['@Ada\nLovelace', ['ada: @Ada\nLovelace']],
    ['@Jose\u0301', ['jose: @José']],
    ['@Anna Bauer and @Anna', ['anna-b: @Anna Bauer', 'anna: @Anna']],
    ['ask @O’Neil (ops).', ['tick: @O’Neil (ops)']],
    ['(@Ada) "@grace kelly"', ['ada: @Ada', 'grace-k: @grace kelly']],
  ])('%j', (text, names) => expect(marked(text)).toEqual(names));
});

test.each(['@Grace', 'ada@example.org', 'x@Ada', '@Adam', '@Ada_x', '@ada@example.org', '/@ada', 'Ada Lovelace', '@'])(
  '%j names nobody',
  (text) => expect(marked(text)).toEqual([]),
);

test('only those are marked whom the server says that the text names', () => {
  expect(marked('@Ada @José', ['jose'])).toEqual(['jose: @José']);
  expect(nameFinder([], users)).toBeNull();
  expect(nameFinder(['gone'], users)).toBeNull();
});

test('nothing of the text is lost', () => {
  const text = 'a @Ada b @Nobody c @José';
  expect((nameFinder(everybody, users)?.(text) ?? []).map(({ text: piece }) => piece).join('')).toBe(text);
});
