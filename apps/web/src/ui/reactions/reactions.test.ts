import { describe, expect, test } from 'bun:test';
import { inTone } from './emoji.ts';
import { findEmoji, readLine } from './find-emoji.ts';
import { whoReacted, withPending } from './reactions.ts';

describe('reactions', () => {
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
  const groups = [
    { name: 'Smileys', emoji: ['😀\tgrinning face\thappy', '❤️\tred heart\tlove', '💔\tbroken heart\t'].map(readLine) },
    {
      name: 'People',
      emoji: ['👍\tthumbs up\tyes +1\t1', '✌️\tvictory hand\tpeace\t1', '🧑‍💻\ttechnologist\t\t1'].map(readLine),
    },
  ];
  const found = (query: string) => findEmoji(groups, query).map(({ text }) => text);

  describe('findEmoji', () => {
    test('finds emoji by name, by words of the name and by keyword', () => {
      expect(found('thumbs up')).toEqual(['👍']);
      expect(found('heart')).toEqual(['❤️', '💔']);
      expect(found('lov')).toEqual(['❤️']);
      expect(found('+1')).toEqual(['👍']);
      expect(found('up thumbs')).toEqual(['👍']);
    });

    test('finds an emoji when the query is that emoji, and does not match the middle of a word', () => {
      expect(found('💔')).toEqual(['💔']);
      expect(found('eart')).toEqual([]);
    });
  });

  describe('the order of the found emoji', () => {
    const smileys = [
      '😄\tgrinning face with smiling eyes\t\t\tsmile',
      '😼\tcat with wry smile\t\t\tsmirk_cat',
      '😀\tgrinning face\tsmile\t\tgrinning',
      '💘\theart with arrow\t\t\tcupid',
      '💓\tbeating heart\t\t\theartbeat',
      '😍\tsmiling face with heart-eyes\t\t\tlove_it heart_eyes',
      '❤️\tred heart\t\t\theart',
      '💌\tlove letter\theart\t',
    ].map(readLine);
    const inOrder = (query: string) => findEmoji([{ name: 'Smileys', emoji: smileys }], query).map(({ text }) => text);

    test('is: exact names and shortcodes, names that start with the query, names with its words, keywords', () => {
      expect(inOrder('heart')).toEqual(['❤️', '💓', '😍', '💘', '💌']);
      expect(inOrder('smile')).toEqual(['😄', '😼', '😀']);
    });

    test('finds shortcodes as they are written', () => {
      expect(inOrder('heart_eyes')[0]).toBe('😍');
    });
  });

  describe('skin tones', () => {
    test('follow the first code point and replace the presentation selector', () => {
      expect(inTone(readLine('👍\tthumbs up\t\t1'), '🏽')).toBe('👍🏽');
      expect(inTone(readLine('✌️\tvictory hand\t\t1'), '🏿')).toBe('✌🏿');
      expect(inTone(readLine('🧑‍💻\ttechnologist\t\t1'), '🏻')).toBe('🧑🏻‍💻');
    });

    test('are not added to emoji that do not support them', () => {
      expect(inTone(readLine('❤️\tred heart\t\t'), '🏽')).toBe('❤️');
      expect(inTone(readLine('👍\tthumbs up\t\t1'), '')).toBe('👍');
    });
  });
});
