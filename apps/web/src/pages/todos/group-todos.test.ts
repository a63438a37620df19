import { expect, test } from 'bun:test';
import type { Todo } from '@hub/contract';
import { todo as sample } from '@hub/testkit/web/sample-items';
import { groupDone, groupOpen } from './group-todos.ts';

const NOW = new Date(2026, 10, 12, 11, 0).getTime();
const at = (day: number, hour = 12) => new Date(2026, 10, day, hour).toISOString();

const todo = (id: string, fields: Partial<Todo> = {}) => sample(1, { id, ...fields });

const shape = (groups: ReturnType<typeof groupOpen>) =>
  groups.map(({ title, todos }) => `${title}: ${todos.map(({ id }) => id).join(' ')}`);

test('by due date, puts overdue first and undated last, and sorts equal due dates by priority', () => {
  const todos = [
    todo('a'),
    todo('b', { dueDate: at(30) }),
    todo('c', { dueDate: at(12, 18) }),
    todo('d', { dueDate: at(12, 18), priority: 'HIGH' }),
    todo('e', { dueDate: at(10) }),
    todo('f', { dueDate: at(14) }),
    todo('g', { priority: 'LOW' }),
  ];
  expect(shape(groupOpen(todos, 'due', NOW))).toEqual([
    'Overdue: e',
    'Today: d c',
    'This week: f',
    'Later: b',
    'No date: g a',
  ]);
});

test('by due date, moves to-dos to another group as time passes', () => {
  const todos = [todo('a', { dueDate: at(12, 18) })];
  expect(shape(groupOpen(todos, 'due', Date.parse(at(12, 19))))).toEqual(['Overdue: a']);
});

test('by priority, has a group for each priority and sorts by due date within it', () => {
  const todos = [
    todo('a'),
    todo('b', { priority: 'LOW' }),
    todo('c', { priority: 'URGENT' }),
    todo('d', { priority: 'LOW', dueDate: at(13) }),
  ];
  expect(shape(groupOpen(todos, 'priority', NOW))).toEqual(['Urgent: c', 'Low: d b', 'No priority: a']);
});

test('with the newest first, has a single group', () => {
  expect(shape(groupOpen([todo('a'), todo('c'), todo('b')], 'newest', NOW))).toEqual(['Newest first: c b a']);
  expect(groupOpen([], 'newest', NOW)).toEqual([]);
});

test('completed to-dos are grouped by day of completion, most recent first', () => {
  const done = (id: string, finishedAt: string) => todo(id, { status: 'done', finishedAt });
  const todos = [done('a', at(1)), done('b', at(12, 9)), done('c', at(12, 10)), done('d', at(11)), done('e', at(8))];
  expect(shape(groupDone(todos, NOW))).toEqual([
    'Done today: c b',
    'Done yesterday: d',
    'Done in the last seven days: e',
    'Done earlier: a',
  ]);
});
