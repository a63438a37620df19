import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { searchTerms } from './search-text.ts';

const whole = (text: string) => ({ text, isPrefix: false });
const begun = (text: string) => ({ text, isPrefix: true });

describe('the words of a search', () => {
  test.each([
    ['one', [begun('one')]],
    ['one two', [whole('one'), begun('two')]],
    ['one two ', [whole('one'), whole('two')]],
    ['  one\ttwo\n', [whole('one'), whole('two')]],
    ['"one two"', [whole('one two')]],
    ['"one two" three', [whole('one two'), begun('three')]],
    ['one"two"three', [whole('one'), whole('two'), begun('three')]],
    ['“one two” three', [whole('one two'), begun('three')]],
    ['"one tw', [begun('one tw')]],
    ['"one two ', [whole('one two ')]],
    ['one - 🚀 two', [whole('one'), begun('two')]],
    ['one 🚀', [whole('one')]],
    ['"" one', [begun('one')]],
    ['NOT one OR NEAR(two*', [whole('NOT'), whole('one'), whole('OR'), whole('NEAR(two*')]],
    ['c++', [whole('c++')]],
    ['learn c#', [whole('learn'), whole('c#')]],
    ['"one (', [whole('one (')]],
    ['naï', [begun('naï')]],
    ['v1.2.3', [begun('v1.2.3')]],
  ])('of %p', (q, words) => {
    expect(searchTerms(q)).toEqual(words);
  });

  test.each([undefined, '', '   ', '\n'])('are missing in %p', (q) => {
    expect(() => searchTerms(q)).toThrow('q is required');
  });

  test.each(['-', '🚀 !', '""', '"..."', '* "'])('are not in %p', (q) => {
    expect(() => searchTerms(q)).toThrow('q holds no word');
  });

  test('are within the limit, counted in code points', () => {
    const longest = '𝒳'.repeat(LIMITS.searchQueryCodePoints);
    expect(searchTerms(longest)).toEqual([begun(longest)]);
    expect(() => searchTerms(`${longest}x`)).toThrow('q has 201 characters; at most 200 are accepted');
  });
});
