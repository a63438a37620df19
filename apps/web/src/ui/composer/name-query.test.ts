import { describe, expect, test } from 'bun:test';
import { matchingNames, nameQuery } from './name-query.ts';

const asked = (text: string) => nameQuery(text, text.length)?.query;

describe('nameQuery finds a name', () => {
  test.each([
    ['@', ''],
    ['Hi @Ad', 'Ad'],
    ['Hi @Ada Lo', 'Ada Lo'],
    ['(@jos', 'jos'],
    ['**@a', 'a'],
    ['a\n@b', 'b'],
    ['@a and @b', 'b'],
  ])('in %j', (text, query) => expect(asked(text)).toBe(query));
});

test.each(['Hi', 'ada@example', 'see /@a', 'at 5 @ 6', '@a\nb', `@${'x'.repeat(80)}`])('finds no name in %j', (text) =>
  expect(asked(text)).toBeUndefined(),
);

test('ends the name at the caret', () => expect(nameQuery('@Ad more', 3)).toEqual({ from: 0, query: 'Ad' }));

test('finds members by the start of any word in their name, and lists matches at the start of the name first', () => {
  const users = ['Lo Adams', 'Ada Lovelace', 'José Ángel', 'Adam'].map((name) => ({ id: name, name }));
  const names = (query: string) => matchingNames(users, query).map(({ name }) => name);
  expect(names('ad')).toEqual(['Ada Lovelace', 'Adam', 'Lo Adams']);
  expect(names('ANG')).toEqual(['José Ángel']);
  expect(names('ada lo')).toEqual(['Ada Lovelace']);
  expect(names('Ada Lovelace ')).toEqual([]);
  expect(names('')).toHaveLength(4);
});
