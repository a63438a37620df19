import { expect, test } from 'bun:test';
import { whoReacted } from './who-reacted.ts';

const members = [
  { id: 'per_1', name: 'Ada' },
  { id: 'per_2', name: 'Bob' },
  { id: 'per_me', name: 'Mara' },
];
const who = (...ids: string[]) => whoReacted(ids, { myId: 'per_me', members });

test('names the users who reacted, with "you" last', () => {
  expect(who('per_me')).toBe('you');
  expect(who('per_1')).toBe('Ada');
  expect(who('per_me', 'per_1', 'per_2')).toBe('Ada, Bob and you');
});

test('counts former members without naming them', () => {
  expect(who('per_gone')).toBe('one more');
  expect(who('per_1', 'per_gone', 'per_lost')).toBe('Ada and 2 more');
});
