import { expect, test } from 'bun:test';
import { withName } from './names.ts';

test('withName finds by any part of their name, ignoring case and accents', () => {
  const hubs = ['Équipe', 'ops/deploys', 'Releases'].map((name) => ({ name }));
  const found = (text: string) => withName(hubs, text).map(({ name }) => name);
  expect(found(' ')).toEqual(['Équipe', 'ops/deploys', 'Releases']);
  expect(found(' equ')).toEqual(['Équipe']);
  expect(found('DEPLOY')).toEqual(['ops/deploys']);
  expect(found('none')).toEqual([]);
});
