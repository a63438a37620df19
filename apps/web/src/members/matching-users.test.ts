import { expect, test } from 'bun:test';
import { matchingMembers } from './matching-users.ts';

const USERS = [
  { id: '1', name: 'Ines Duarte' },
  { id: '2', name: 'Tomás Okafor' },
  { id: '3', name: 'Anne-Marie Dubois' },
];
const found = (text: string, myId = '') => matchingMembers(USERS, text, myId).map(({ id }) => id);

test('each word begins a part of the name, whatever the case and the accents', () => {
  expect(found('tomas')).toEqual(['2']);
  expect(found('D')).toEqual(['1', '3']);
  expect(found('du marie')).toEqual(['3']);
  expect(found('uarte')).toEqual([]);
});

test('without words it is everybody, oneself first', () => {
  expect(found(' ', '2')).toEqual(['2', '1', '3']);
});
