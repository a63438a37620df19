import { expect, test } from 'bun:test';
import { matchingPeople } from './matching-people.ts';

const PEOPLE = [
  { id: '1', name: 'Ines Duarte' },
  { id: '2', name: 'Tomás Okafor' },
  { id: '3', name: 'Anne-Marie Dubois' },
];
const found = (words: string, myId = '') => matchingPeople(PEOPLE, words, myId).map(({ id }) => id);

test('each word begins a part of the name, whatever the case and the accents', () => {
  expect(found('tomas')).toEqual(['2']);
  expect(found('D')).toEqual(['1', '3']);
  expect(found('du marie')).toEqual(['3']);
  expect(found('uarte')).toEqual([]);
});

test('without words it is everybody, oneself first', () => {
  expect(found(' ', '2')).toEqual(['2', '1', '3']);
});
