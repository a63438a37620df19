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
const allIds = users.map(({ id }) => id);
const marked = (text: string, mentions = allIds) =>
  (nameFinder(mentions, users)?.(text) ?? [])
    .filter(({ personId }) => personId)
    .map(({ text: name, personId }) => `${personId}: ${name}`);

describe('finds the mentioned names', () => {
  test.each([
    ['Thanks @Ada Lovelace!', ['ada: @Ada Lovelace']],
    ['Thanks @ada, well done', ['ada: @ada']],
    ['@Ada\nLovelace', ['ada: @Ada\nLovelace']],
    ['@Jose\u0301', ['jose: @José']],
    ['@Anna Bauer and @Anna', ['anna-b: @Anna Bauer', 'anna: @Anna']],
    ['ask @O’Neil (ops).', ['tick: @O’Neil (ops)']],
    ['(@Ada) "@grace kelly"', ['ada: @Ada', 'grace-k: @grace kelly']],
  ])('in %j', (text, names) => expect(marked(text)).toEqual(names));
});

test.each(['@Grace', 'ada@example.org', 'x@Ada', '@Adam', '@Ada_x', '@ada@example.org', '/@ada', 'Ada Lovelace', '@'])(
  'finds no name in %j',
  (text) => expect(marked(text)).toEqual([]),
);

test('finds only the users that the server lists as mentioned', () => {
  expect(marked('@Ada @José', ['jose'])).toEqual(['jose: @José']);
  expect(nameFinder([], users)).toBeNull();
  expect(nameFinder(['gone'], users)).toBeNull();
});

test('keeps all of the text', () => {
  const text = 'a @Ada b @Nobody c @José';
  expect((nameFinder(allIds, users)?.(text) ?? []).map(({ text: piece }) => piece).join('')).toBe(text);
});
