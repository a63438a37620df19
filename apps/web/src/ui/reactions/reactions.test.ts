import { expect, test } from 'bun:test';
import { whoReacted, withPending } from './reactions.ts';

const reactions = [
  { emoji: '👍', userIds: ['per_bob', 'per_me'] },
  { emoji: '🎉', userIds: ['per_bob'] },
  { emoji: '👀', userIds: ['per_me'] },
];
const shown = (...pending: [string, boolean][]) =>
  withPending({ reactions }, new Map(pending), 'per_me').map(({ emoji, userIds }) => `${emoji} ${userIds.join(' ')}`);

test('an added reaction is shown immediately, in its chip or as the last chip', () => {
  expect(shown(['🎉', true])).toEqual(['👍 per_bob per_me', '🎉 per_bob per_me', '👀 per_me']);
  expect(shown(['🚀', true])).toEqual(['👍 per_bob per_me', '🎉 per_bob', '👀 per_me', '🚀 per_me']);
});

test('a removed reaction disappears immediately, and so does a chip without reactions', () => {
  expect(shown(['👍', false], ['👀', false])).toEqual(['👍 per_bob', '🎉 per_bob']);
});

test('a change that the server already has makes no difference', () => {
  expect(shown(['👍', true], ['🚀', false])).toEqual(shown());
});

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
