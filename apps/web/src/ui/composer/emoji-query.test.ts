import { describe, expect, test } from 'bun:test';
import { emojiQuery, inChosenTone, matchingEmoji } from './emoji-query.ts';

const asked = (text: string) => emojiQuery(text, text.length)?.query;

describe('emojiQuery finds a shortcode', () => {
  test.each([
    [':ta', 'ta'],
    ['Done :ta', 'ta'],
    ['(:+1', '+1'],
    ['**:Ta', 'ta'],
    ['a\n:white_ch', 'white_ch'],
    ['@Ada :ta', 'ta'],
    ['完了:ta', 'ta'],
  ])('in %j', (text, query) => expect(asked(text)).toBe(query));
});

test.each([':t', ':D', 'at 10:30', 'std::map', 'https://x.example', 'key:value', ':ta da', ':tada:', '\\:ta'])(
  'finds no shortcode in %j',
  (text) => expect(asked(text)).toBeUndefined(),
);

test('ends the shortcode at the caret', () => expect(emojiQuery(':ta more', 3)).toEqual({ from: 0, query: 'ta' }));

describe('matchingEmoji', () => {
  const names = new Map([
    ['taco', '🌮'],
    ['tada', '🎉'],
    ['tangerine', '🍊'],
    ['orange', '🍊'],
    ['taxi', '🚕'],
    ['hot_tamale', '🫔'],
    ['t-rex', '🦖'],
  ]);
  const found = (query: string, recent: readonly string[] = []) =>
    matchingEmoji(names, query, recent).map(({ name }) => name);

  test('finds names by their start and then by the start of a word in them, short names first', () => {
    expect(found('ta')).toEqual([':taco:', ':tada:', ':taxi:', ':tangerine:', ':hot_tamale:']);
    expect(found('t-')).toEqual([':t-rex:']);
    expect(found('ada')).toEqual([]);
  });

  test('lists recently used emoji first, but the exact name before them', () => {
    expect(found('ta', ['🎉']).slice(0, 2)).toEqual([':tada:', ':taco:']);
    expect(found('taxi', ['🎉'])).toEqual([':taxi:']);
  });

  test('lists an emoji with several matching names once', () => {
    names.set('tangerine_orange', '🍊');
    expect(found('tan')).toEqual([':tangerine:']);
  });
});

test('inChosenTone changes only emoji that have skin tones', () => {
  expect(inChosenTone('👋', '🏽')).toBe('👋🏽');
  expect(inChosenTone('✌️', '🏽')).toBe('✌🏽');
  expect(inChosenTone('🎉', '🏽')).toBe('🎉');
  expect(inChosenTone('👋', '')).toBe('👋');
});
