import { describe, expect, test } from 'bun:test';
import { inTone } from './emoji.ts';
import { findEmoji, readLine } from './find-emoji.ts';

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
