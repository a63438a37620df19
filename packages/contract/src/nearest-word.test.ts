import { expect, test } from 'bun:test';
import { nearestWord } from './nearest-word.ts';

const TODO_FIELDS = ['title', 'content', 'dueDate', 'priority'];
const BLOCK_FIELDS = ['id', 'type', 'data', 'tunes'];

test.each([
  ['dueDte', 'dueDate', TODO_FIELDS],
  ['due_date', 'dueDate', TODO_FIELDS],
  ['DUEDATE', 'dueDate', TODO_FIELDS],
  ['titel', 'title', TODO_FIELDS],
  ['tpye', 'type', BLOCK_FIELDS],
  ['ID', 'id', BLOCK_FIELDS],
  // Two edits are allowed, and one for every three characters.
  ['hbus', 'hubs', ['hubs', 'users', 'keys']],
  ['rotaet', 'rotate', ['issue', 'rotate', 'replace']],
  ['create', undefined, ['issue', 'rotate', 'replace']],
  ['remove', undefined, ['role', 'disable']],
  ['bogus', undefined, ['logout', 'login']],
  ['lst', 'list', ['list', 'show']],
  ['lt', undefined, ['list', 'show']],
])('takes the mistyped %s for %p', (typed, word, words) => {
  expect(nearestWord(typed, words)).toBe(word);
});
