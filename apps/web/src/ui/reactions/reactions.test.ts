import { describe, expect, test } from 'bun:test';
import { findEmoji, inTone, readLine } from './emoji.ts';
import { whoReacted, withReaction } from './reactions.ts';

describe('reactions', () => {
  const reactions = [
    { emoji: '👍', userIds: ['per_bob', 'per_me'] },
    { emoji: '🎉', userIds: ['per_bob'] },
    { emoji: '👀', userIds: ['per_me'] },
  ];
  const shown = (emoji: string, isOn: boolean) =>
    withReaction({ reactions }, { emoji, userId: 'per_me', isOn }).map(
      (reaction) => `${reaction.emoji} ${reaction.userIds.join(' ')}`,
    );

  test('an added reaction is shown immediately, in its chip or as the last chip', () => {
    expect(shown('🎉', true)).toEqual(['👍 per_bob per_me', '🎉 per_bob per_me', '👀 per_me']);
    expect(shown('🚀', true)).toEqual(['👍 per_bob per_me', '🎉 per_bob', '👀 per_me', '🚀 per_me']);
  });

  test('a removed reaction disappears immediately, and so does a chip without reactions', () => {
    expect(shown('👍', false)).toEqual(['👍 per_bob', '🎉 per_bob', '👀 per_me']);
    expect(shown('👀', false)).toEqual(['👍 per_bob per_me', '🎉 per_bob']);
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
  ])('finds for %j: %s', (query, texts) =>
    expect(
      findEmoji([{ name: 'All', emoji }], query)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(texts),
  );

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
