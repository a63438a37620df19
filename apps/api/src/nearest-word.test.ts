import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nearestWord } from './nearest-word.ts';

const FIELDS = ['title', 'content', 'dueDate', 'priority'];

test('a word that is mistyped is taken for the nearest one', () => {
  const meant = {
    dueDte: 'dueDate',
    due_date: 'dueDate',
    DUEDATE: 'dueDate',
    titel: 'title',
    contnt: 'content',
    prioity: 'priority',
  };
  for (const [typed, word] of Object.entries(meant)) expect(nearestWord(typed, FIELDS)).toBe(word);
});

test('a word that is far from all is taken for none', () => {
  for (const typed of ['', 'x', 'text', 'assignee', 'constructor', 'd'.repeat(100_000)]) {
    expect(nearestWord(typed, FIELDS)).toBeUndefined();
  }
  expect(nearestWord('title', [])).toBeUndefined();
});

test('whatever is typed, the answer is one of the words, and a word itself is its own nearest', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (typed, words) => {
      const nearest = nearestWord(typed, words);
      expect(nearest === undefined || words.includes(nearest)).toBe(true);
      if (words.includes(typed) && typed.length <= 64) expect(nearest?.toLowerCase()).toBe(typed.toLowerCase());
    }),
  );
});
