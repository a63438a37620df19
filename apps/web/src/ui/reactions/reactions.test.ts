import { describe, expect, test } from 'bun:test';
import { findEmoji, inTone, readLine } from './emoji.ts';
import { whoReacted, withReaction } from './reactions.ts';

describe('reactions', () => {
  const byEmoji = { '👍': ['per_bob', 'per_me'], '🎉': ['per_bob'], '👀': ['per_me'] };
  const reactions = Object.entries(byEmoji).map(([emoji, userIds]) => ({ emoji, userIds }));
  const shown = (emoji: string, isOn: boolean) => {
    const changed = withReaction({ reactions }, { emoji, userId: 'per_me', isOn });
    return changed.map((one) => `${one.emoji} ${one.userIds.join(' ')}`);
  };

  test('are added to their chip or as the last chip, and removed, also the last of a chip', () => {
    expect(shown('🎉', true)).toEqual(['👍 per_bob per_me', '🎉 per_bob per_me', '👀 per_me']);
    expect(shown('🚀', true)).toEqual(['👍 per_bob per_me', '🎉 per_bob', '👀 per_me', '🚀 per_me']);
    expect(shown('👍', false)).toEqual(['👍 per_bob', '🎉 per_bob', '👀 per_me']);
    expect(shown('👀', false)).toEqual(['👍 per_bob per_me', '🎉 per_bob']);
  });

  test('names the users who reacted, with "you" last', () => {
    const members = Object.entries({ per_1: 'Ada', per_2: 'Bob', per_me: 'Mara' }).map(([id, name]) => ({ id, name }));
    const who = (...ids: string[]) => whoReacted(ids, { myId: 'per_me', members });
    expect(who('per_me')).toBe('you');
    expect(who('per_1')).toBe('Ada');
    expect(who('per_me', 'per_1', 'per_2')).toBe('Ada, Bob and you');
  });
});

describe('the picker', () => {
  const emoji = [
    '😄\tgrinning face with smiling eyes\t\t\tsmile',
    '😼\tcat with wry smile\t\t\tsmirk_cat',
    '😀\tgrinning face\tsmile happy\t\tgrinning',
    '💘\theart with arrow\t\t\tcupid',
    '💓\tbeating heart\t\t\theartbeat',
    '😍\tsmiling face with heart-eyes\t\t\tlove_it heart_eyes',
    '❤️\tred heart\tlove\t\theart',
    '💌\tlove letter\theart\t',
    '👍\tthumbs up\tyes +1\t1',
    '✌️\tvictory hand\tpeace\t1',
    '🧑‍💻\ttechnologist\t\t1',
  ].map(readLine);

  // In order: exact names and shortcodes, names that start with the query, names with its words, keywords.
  test.each([
    ['heart', '❤️ 💓 😍 💘 💌'],
    ['smile', '😄 😼 😀'],
    ['heart_eyes', '😍'],
    ['thumbs up', '👍'],
    ['up thumbs', '👍'],
    ['+1', '👍'],
    ['happ', '😀'],
    ['💌', '💌'],
    ['eart', ''],
  ])('finds for %j: %s', (query, texts) => {
    const found = findEmoji([{ name: 'All', emoji }], query);
    expect(found.map(({ text }) => text).join(' ')).toBe(texts);
  });

  test.each([
    ['👍', '🏽', '👍🏽'],
    ['✌️', '🏿', '✌🏿'],
    ['🧑‍💻', '🏻', '🧑🏻‍💻'],
    ['❤️', '🏽', '❤️'],
    ['👍', '', '👍'],
  ])('shows %s in the tone %j as %s', (text, tone, shown) => {
    const [found] = emoji.filter((each) => each.text === text);
    expect(found && inTone(found, tone)).toBe(shown);
  });
});
