import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nearestWord } from './nearest-word.ts';

const TODO_FIELDS = ['title', 'content', 'dueDate', 'priority'];
const BLOCK_FIELDS = ['id', 'type', 'data', 'tunes'];

test.each([
  ['dueDte', 'dueDate', TODO_FIELDS],
  ['due_date', 'dueDate', TODO_FIELDS],
  ['DUEDATE', 'dueDate', TODO_FIELDS],
  ['titel', 'title', TODO_FIELDS],
  ['contnt', 'content', TODO_FIELDS],
  ['prioity', 'priority', TODO_FIELDS],
  ['dta', 'data', BLOCK_FIELDS],
  ['Data', 'data', BLOCK_FIELDS],
  ['tpye', 'type', BLOCK_FIELDS],
  ['tune', 'tunes', BLOCK_FIELDS],
  ['ID', 'id', BLOCK_FIELDS],
])('corrects the mistyped %s to %s', (typed, word, words) => {
  expect(nearestWord(typed, words)).toBe(word);
});

test.each([
  ['hbus', 'hubs', ['hubs', 'users', 'keys']],
  ['isue', 'issue', ['issue', 'rotate', 'replace']],
  ['rotaet', 'rotate', ['issue', 'rotate', 'replace']],
  ['create', undefined, ['issue', 'rotate', 'replace']],
  ['remove', undefined, ['role', 'disable']],
  ['bogus', undefined, ['logout', 'login']],
  ['lst', 'list', ['list', 'show']],
  ['lt', undefined, ['list', 'show']],
])('allows two edits, and one for every three characters: %s is taken for %p', (typed, word, words) => {
  expect(nearestWord(typed, words)).toBe(word);
});

test('returns one of the words or undefined for any text, and the same word for an exact match', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (typed, words) => {
      const nearest = nearestWord(typed, words);
      expect(nearest === undefined || words.includes(nearest)).toBe(true);
      if (words.includes(typed) && typed.length <= 64) expect(nearest?.toLowerCase()).toBe(typed.toLowerCase());
    }),
  );
});
