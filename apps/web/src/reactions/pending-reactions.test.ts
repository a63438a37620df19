import { expect, test } from 'bun:test';
import { withPending } from './pending-reactions.ts';

const reactions = [
  { emoji: '👍', personIds: ['per_bob', 'per_me'] },
  { emoji: '🎉', personIds: ['per_bob'] },
  { emoji: '👀', personIds: ['per_me'] },
];
const shown = (...pending: [string, boolean][]) =>
  withPending({ reactions }, new Map(pending), 'per_me').map(
    ({ emoji, personIds }) => `${emoji} ${personIds.join(' ')}`,
  );

test('what is pressed is there at once, in its place or as the last', () => {
  expect(shown(['🎉', true])).toEqual(['👍 per_bob per_me', '🎉 per_bob per_me', '👀 per_me']);
  expect(shown(['🚀', true])).toEqual(['👍 per_bob per_me', '🎉 per_bob', '👀 per_me', '🚀 per_me']);
});

test('what is taken away is gone at once, and its chip with the last of it', () => {
  expect(shown(['👍', false], ['👀', false])).toEqual(['👍 per_bob', '🎉 per_bob']);
});

test('what the server has heard of already changes nothing', () => {
  expect(shown(['👍', true], ['🚀', false])).toEqual(shown());
});
