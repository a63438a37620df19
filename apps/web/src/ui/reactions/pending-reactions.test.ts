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
