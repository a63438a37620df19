import { expect, test } from 'bun:test';
import { readTodoQuery, writeTodoQuery } from './todo-query.ts';

const read = (search: string) => readTodoQuery(new URLSearchParams(search));

test('a URL without parameters shows open to-dos by due date', () => {
  expect(read('')).toEqual({ show: 'open', sort: 'due', assignee: null, priority: null });
});

test('a written query is read back, and other parameters stay', () => {
  const query = { show: 'all', sort: 'newest', assignee: 'me', priority: 'URGENT' } as const;
  const written = writeTodoQuery(new URLSearchParams('open=todo_1'), query);
  expect(String(written)).toBe('open=todo_1&status=all&assignee=me&priority=urgent&sort=newest');
  expect(readTodoQuery(written)).toEqual(query);
});

test('defaults are left out of the URL', () => {
  const usual = { show: 'open', sort: 'due', assignee: null, priority: null } as const;
  expect(String(writeTodoQuery(new URLSearchParams('status=all&assignee=me&priority=low&sort=newest'), usual))).toBe(
    '',
  );
});

test('unknown values fall back to the defaults', () => {
  expect(read('status=closed&sort=colour&priority=no&assignee=')).toEqual(read(''));
});
