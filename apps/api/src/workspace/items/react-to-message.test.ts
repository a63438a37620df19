import { describe, expect, test } from 'bun:test';
import { AppError } from '../../platform/errors.ts';
import { readEmoji } from './react-to-message.ts';

describe('readEmoji', () => {
  const kept = ['👍', '👍🏽', '🏳️‍🌈', '👨‍👩‍👧‍👦', '🇩🇪', '1️⃣', '❤️', '❤️‍🔥', '☝🏽', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'];
  test.each(kept)('accepts %s unchanged', (emoji) => expect(readEmoji(emoji)).toBe(emoji));

  const fixed: [string, string, string][] = [
    ['a heart that shows as text', '❤', '❤️'],
    ['a flag without its selector', '🏳‍🌈', '🏳️‍🌈'],
    ['a keycap without its selector', '1⃣', '1️⃣'],
    ['a heart on fire without its selector', '❤‍🔥', '❤️‍🔥'],
    ['a thumb with a selector that it does not need', '👍️', '👍'],
    ['a finger with a tone and a selector', '☝️🏽', '☝🏽'],
  ];
  test.each(fixed)('normalizes %s', (_, sent, emoji) => expect(readEmoji(sent)).toBe(emoji));

  const rejected = ['', 'a', '1', '#', '👍👍', '👍 ', '\u{fe0f}', '\u{200d}', '🇩', null, '👍'.repeat(10_000)];
  test.each(rejected)('rejects %p', (text) => expect(() => readEmoji(text)).toThrow(AppError));
});
