import { expect, test } from 'bun:test';
import { matchingUsers } from './matching-users.ts';

const USERS = [
  { id: '1', name: 'Ines Duarte' },
  { id: '2', name: 'Tomás Okafor' },
  { id: '3', name: 'Anne-Marie Dubois' },
];
const found = (text: string, myId = '') => matchingUsers(USERS, text, myId).map(({ id }) => id);

test('matches names that have, for each query word, a part that begins with it, ignoring case and accents', () => {
  expect(found('tomas')).toEqual(['2']);
  expect(found('D')).toEqual(['1', '3']);
  expect(found('du marie')).toEqual(['3']);
  expect(found('uarte')).toEqual([]);
});

test('returns all users for an empty query, starting with you', () => {
  expect(found(' ', '2')).toEqual(['2', '1', '3']);
});
