import { expect, test } from 'bun:test';
import { matchingUsers } from './matching.ts';

test('finds users by the beginning of any part of their name, ignoring case and accents, the reader first', () => {
  const users = ['Ines Duarte', 'Tomás Okafor', 'Anne-Marie Dubois'].map((name) => ({ id: name, name }));
  const found = (words: string) => matchingUsers(users, words, 'Tomás Okafor').map(({ name }) => name);
  expect(found(' ')).toEqual(['Tomás Okafor', 'Ines Duarte', 'Anne-Marie Dubois']);
  expect([found('tomas'), found('du marie'), found('uarte')]).toEqual([['Tomás Okafor'], ['Anne-Marie Dubois'], []]);
});
