import { expect, test } from 'bun:test';
import { nearestField } from './nearest-field.ts';

const fields = ['id', 'type', 'data', 'tunes'];

test.each([
  ['dta', 'data'],
  ['Data', 'data'],
  ['tpye', 'type'],
  ['tune', 'tunes'],
  ['ID', 'id'],
])('%s is taken for %s', (word, meant) => {
  expect(nearestField(word, fields)).toBe(meant);
});

test.each(['x', 'is', 'content', 'text', '', 'k'.repeat(1_000_000)])('%s is like none of them', (word) => {
  expect(nearestField(word, fields)).toBeNull();
});
