import { expect, test } from 'bun:test';
import { hubsNamed } from './hubs-named.ts';

const hubs = ['Alerts', 'Böcke', 'Load tests', 'Team room', 'Website'].map((name) => ({ name }));
const named = (typed: string) => hubsNamed(typed, hubs).map(({ name }) => name);

test('without letters it is all of them, in their order', () => {
  expect(named(' ')).toEqual(['Alerts', 'Böcke', 'Load tests', 'Team room', 'Website']);
});

test('what begins with the letters comes first, then whose word does, then the others', () => {
  expect(named('te')).toEqual(['Team room', 'Load tests', 'Website']);
});

test('case and accents do not matter', () => {
  expect(named('BO')).toEqual(['Böcke']);
  expect(named('zz')).toEqual([]);
});
