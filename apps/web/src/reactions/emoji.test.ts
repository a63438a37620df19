import { describe, expect, test } from 'bun:test';
import { findEmoji, inTone, readLine } from './emoji.ts';

const groups = [
  { name: 'Smileys', emoji: ['😀\tgrinning face\thappy', '❤️\tred heart\tlove', '💔\tbroken heart\t'].map(readLine) },
  {
    name: 'People',
    emoji: ['👍\tthumbs up\tyes +1\t1', '✌️\tvictory hand\tpeace\t1', '🧑‍💻\ttechnologist\t\t1'].map(readLine),
  },
];
const found = (query: string) => findEmoji(groups, query).map(({ text }) => text);

describe('finding', () => {
  test('by the name, its words and what else it is found by', () => {
    expect(found('thumbs up')).toEqual(['👍']);
    expect(found('heart')).toEqual(['❤️', '💔']);
    expect(found('lov')).toEqual(['❤️']);
    expect(found('+1')).toEqual(['👍']);
    expect(found('up thumbs')).toEqual(['👍']);
  });

  test('by itself, and nothing by what is within words', () => {
    expect(found('💔')).toEqual(['💔']);
    expect(found('eart')).toEqual([]);
  });
});

describe('skin tones', () => {
  test('stand behind the first sign, in place of what asks for colour', () => {
    expect(inTone(readLine('👍\tthumbs up\t\t1'), '🏽')).toBe('👍🏽');
    expect(inTone(readLine('✌️\tvictory hand\t\t1'), '🏿')).toBe('✌🏿');
    expect(inTone(readLine('🧑‍💻\ttechnologist\t\t1'), '🏻')).toBe('🧑🏻‍💻');
  });

  test('are left out where there are none', () => {
    expect(inTone(readLine('❤️\tred heart\t\t'), '🏽')).toBe('❤️');
    expect(inTone(readLine('👍\tthumbs up\t\t1'), '')).toBe('👍');
  });
});
