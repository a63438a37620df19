import { expect, test } from 'bun:test';
import { hubsNamed } from './hubs-named.ts';

const hubs = ['Alerts', 'Böcke', 'Load tests', 'Team room', 'Website'].map((name) => ({ name }));
const named = (typed: string) => hubsNamed(typed, hubs).map(({ name }) => name);

test('returns all Hubs in order for an empty query', () => {
  expect(named(' ')).toEqual(['Alerts', 'Böcke', 'Load tests', 'Team room', 'Website']);
});

test('ranks names that begin with the query first, then names with a word that begins with it, then the others', () => {
  expect(named('te')).toEqual(['Team room', 'Load tests', 'Website']);
});

test('ignores case and accents', () => {
  expect(named('BO')).toEqual(['Böcke']);
  expect(named('zz')).toEqual([]);
});
