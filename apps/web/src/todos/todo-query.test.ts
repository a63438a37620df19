import { expect, test } from 'bun:test';
import { readTodoQuery, writeTodoQuery } from './todo-query.ts';

const read = (search: string) => readTodoQuery(new URLSearchParams(search));

test('an address without words shows what is open, by due date', () => {
  expect(read('')).toEqual({ show: 'open', sort: 'due', assignee: null, priority: null });
});

test('what is written is read again, and what else the address says stays', () => {
  const query = { show: 'all', sort: 'newest', assignee: 'me', priority: 'URGENT' } as const;
  const written = writeTodoQuery(new URLSearchParams('open=todo_1'), query);
  expect(String(written)).toBe('open=todo_1&status=all&assignee=me&priority=urgent&sort=newest');
  expect(readTodoQuery(written)).toEqual(query);
});

test('what is usual is left out of the address', () => {
  const usual = { show: 'open', sort: 'due', assignee: null, priority: null } as const;
  expect(String(writeTodoQuery(new URLSearchParams('status=all&assignee=me&priority=low&sort=newest'), usual))).toBe(
    '',
  );
});

test('words that mean nothing are as if they were left out', () => {
  expect(read('status=closed&sort=colour&priority=no&assignee=')).toEqual(read(''));
});
