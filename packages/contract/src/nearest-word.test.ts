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
  ['prio', 'priority', TODO_FIELDS],
  ['hub', 'hubId', ['limit', 'hubId', 'keyId']],
  ['retries', 'connectRetries', ['connectRetries', 'timeoutMs']],
])('completes %s, which is part of only one word, to %s', (typed, word, words) => {
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

test('returns undefined for text that is part of two words', () => {
  expect(nearestWord('HUB_', ['HUB_DATA_DIR', 'HUB_BASE_URL'])).toBeUndefined();
});

test.each(['', 'x', 'text', 'assignee', 'constructor'])(
  'returns undefined for %j, which resembles no field of a to-do',
  (typed) => {
    expect(nearestWord(typed, TODO_FIELDS)).toBeUndefined();
  },
);

test.each(['', 'x', 'is', 'content', 'text'])(
  'returns undefined for %j, which resembles no field of a block',
  (typed) => {
    expect(nearestWord(typed, BLOCK_FIELDS)).toBeUndefined();
  },
);

test('returns undefined for a word that is too long, or if there are no words', () => {
  for (const length of [65, 1_000_000]) expect(nearestWord('d'.repeat(length), ['d'.repeat(65)])).toBeUndefined();
  expect(nearestWord('title', [])).toBeUndefined();
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
