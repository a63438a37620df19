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
])('takes %s, which is mistyped, for %s', (typed, word, text) => {
  expect(nearestWord(typed, text)).toBe(word);
});

test.each([
  ['prio', 'priority', TODO_FIELDS],
  ['retries', 'connectRetries', ['connectRetries', 'timeoutMs']],
])('takes %s, which is a part of one word alone, for %s', (typed, word, text) => {
  expect(nearestWord(typed, text)).toBe(word);
});

test('takes a part of two words for neither', () => {
  expect(nearestWord('HUB_', ['HUB_DATA_DIR', 'HUB_BASE_URL'])).toBeUndefined();
});

test.each(['', 'x', 'text', 'assignee', 'constructor'])('takes %j, which is far from all fields, for none', (typed) => {
  expect(nearestWord(typed, TODO_FIELDS)).toBeUndefined();
});

test.each(['', 'x', 'is', 'content', 'text'])('takes %j, which is no field of a block, for none', (typed) => {
  expect(nearestWord(typed, BLOCK_FIELDS)).toBeUndefined();
});

test('finds nothing for a word that is too long, or among no words', () => {
  for (const length of [65, 1_000_000]) expect(nearestWord('d'.repeat(length), ['d'.repeat(65)])).toBeUndefined();
  expect(nearestWord('title', [])).toBeUndefined();
});

test('returns one of the words, and for a word itself that word, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (typed, text) => {
      const nearest = nearestWord(typed, text);
      expect(nearest === undefined || text.includes(nearest)).toBe(true);
      if (text.includes(typed) && typed.length <= 64) expect(nearest?.toLowerCase()).toBe(typed.toLowerCase());
    }),
  );
});
