import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { todoStatusText } from './todo-state.ts';

const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).toISOString();
const nowMs = Date.parse(at(11, 12));
const textOf = (facts: Partial<Todo>) =>
  todoStatusText({ status: 'open', assignee: null, finishedBy: null, dueDate: null, ...facts } as Todo, nowMs);
const tomas = { id: 'usr_1', name: 'Tomás Rey' };

test('an open to-do shows its assignee and due date', () => {
  expect(textOf({})).toBe('open');
  expect(textOf({ assignee: tomas, dueDate: at(11, 23, 59) })).toBe('open · Tomás · due today');
  expect(textOf({ dueDate: at(12, 23, 59) })).toBe('open · due tomorrow');
  expect(textOf({ dueDate: at(11, 9) })).toBe('open · overdue');
  expect(textOf({ dueDate: at(11, 18) })).toMatch(/^open · due today, 0?6:00 PM$|^open · due today, 18:00$/);
});

test('a completed to-do shows who completed it and no due date', () => {
  expect(textOf({ status: 'done', assignee: null, finishedBy: tomas, dueDate: at(1, 9) })).toBe('done · Tomás');
});
