import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { todoStanding } from './todo-state.ts';

const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).toISOString();
const nowMs = Date.parse(at(11, 12));
const of = (facts: Partial<Todo>) =>
  todoStanding({ status: 'open', assignee: null, finishedBy: null, dueDate: null, ...facts } as Todo, nowMs);
const tomas = { id: 'person_1', name: 'Tomás Rey' };

test('an open to-do is somebody’s, and due some day', () => {
  expect(of({})).toBe('open');
  expect(of({ assignee: tomas, dueDate: at(11, 23, 59) })).toBe('open · Tomás · due today');
  expect(of({ dueDate: at(12, 23, 59) })).toBe('open · due tomorrow');
  expect(of({ dueDate: at(11, 9) })).toBe('open · overdue');
  expect(of({ dueDate: at(11, 18) })).toMatch(/^open · due today, 0?6:00 PM$|^open · due today, 18:00$/);
});

test('one that is done was finished by somebody, and its due date means nothing any more', () => {
  expect(of({ status: 'done', assignee: null, finishedBy: tomas, dueDate: at(1, 9) })).toBe('done · Tomás');
});
