import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { searchTerms } from './search-items.ts';

const exact = (text: string) => ({ text, isPrefix: false });
const prefix = (text: string) => ({ text, isPrefix: true });

describe('search terms', () => {
  test.each([
    ['one', [prefix('one')]],
    ['one two', [exact('one'), prefix('two')]],
    ['one two ', [exact('one'), exact('two')]],
    ['  one\ttwo\n', [exact('one'), exact('two')]],
    ['"one two"', [exact('one two')]],
    ['"one two" three', [exact('one two'), prefix('three')]],
    ['one"two"three', [exact('one'), exact('two'), prefix('three')]],
    ['“one two” three', [exact('one two'), prefix('three')]],
    ['"one tw', [prefix('one tw')]],
    ['"one two ', [exact('one two ')]],
    ['one - 🚀 two', [exact('one'), prefix('two')]],
    ['one 🚀', [exact('one')]],
    ['"" one', [prefix('one')]],
    ['NOT one OR NEAR(two*', [exact('NOT'), exact('one'), exact('OR'), exact('NEAR(two*')]],
    ['c++', [exact('c++')]],
    ['learn c#', [exact('learn'), exact('c#')]],
    ['"one (', [exact('one (')]],
    ['naï', [prefix('naï')]],
    ['v1.2.3', [prefix('v1.2.3')]],
  ])('are parsed from %p', (q, terms) => {
    expect(searchTerms(q)).toEqual(terms);
  });

  test.each([undefined, '', '   ', '\n'])('are missing from %p', (q) => {
    expect(() => searchTerms(q)).toThrow('q is required');
  });

  test.each(['-', '🚀 !', '""', '"..."', '* "'])('are rejected for %p', (q) => {
    expect(() => searchTerms(q)).toThrow('q contains no word');
  });

  test('are limited by the number of code points', () => {
    const maxQuery = '𝒳'.repeat(LIMITS.searchQueryCodePoints);
    expect(searchTerms(maxQuery)).toEqual([prefix(maxQuery)]);
    expect(() => searchTerms(`${maxQuery}x`)).toThrow('q has 201 characters; at most 200 are accepted');
  });
});
