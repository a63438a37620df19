import type { Todo } from '@hub/contract';
import { type DueGroup, dueGroup } from '../../lib/time/due.ts';
import { daysAgo } from '../../lib/time/format.ts';
import { PRIORITIES, priorityLabel, type Sort } from './todo-query.ts';

export interface TodoGroup {
  key: string;
  title: string;
  isLate: boolean;
  /** How many to-dos belong to the group, including those that are not drawn. */
  count: number;
  todos: readonly Todo[];
}

const DUE_TITLES: Record<DueGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  tomorrow: 'Tomorrow',
  week: 'This week',
  future: 'Later',
  none: 'No date',
};
const DUE_ORDER = Object.keys(DUE_TITLES) as DueGroup[];

/** Groups open to-dos. Empty groups are left out. */
export function groupOpen(todos: readonly Todo[], sort: Sort, nowMs: number): TodoGroup[] {
  if (sort === 'newest') return present([group('newest', 'Newest first', todos.toSorted(newestFirst))]);
  if (sort === 'priority') {
    const sorted = todos.toSorted((one, other) => byDue(one, other) || newestFirst(one, other));
    const groups = [...PRIORITIES, null].map((priority) => {
      const title = priority === null ? 'No priority' : priorityLabel(priority);
      const members = sorted.filter((todo) => todo.priority === priority);
      return group(title, title, members);
    });
    return present(groups);
  }
  const sorted = todos.toSorted(
    (one, other) => byDue(one, other) || rank(one) - rank(other) || newestFirst(one, other),
  );
  const byDay = Map.groupBy(sorted, ({ dueDate }) => dueGroup(dueDate, nowMs));
  return present(DUE_ORDER.map((due) => group(due, DUE_TITLES[due], byDay.get(due) ?? [], due === 'overdue')));
}

const DONE_TITLES = {
  today: 'Done today',
  yesterday: 'Done yesterday',
  week: 'Done in the last seven days',
  earlier: 'Done earlier',
};
const DONE_ORDER = Object.keys(DONE_TITLES) as (keyof typeof DONE_TITLES)[];

/** Groups completed to-dos, the most recent first. */
export function groupDone(todos: readonly Todo[], nowMs: number): TodoGroup[] {
  const byAge = Map.groupBy(todos.toSorted(lastDoneFirst), ({ finishedAt, createdAt }) => {
    const days = daysAgo(finishedAt ?? createdAt, nowMs);
    return days <= 0 ? 'today' : days === 1 ? 'yesterday' : days < 7 ? 'week' : 'earlier';
  });
  return present(DONE_ORDER.map((age) => group(`done-${age}`, DONE_TITLES[age], byAge.get(age) ?? [])));
}

export function lastDoneFirst(one: Todo, other: Todo): number {
  return compare(other.finishedAt ?? '', one.finishedAt ?? '') || newestFirst(one, other);
}

/** To-dos without a date come last. */
function byDue(one: Todo, other: Todo): number {
  if (one.dueDate === other.dueDate) return 0;
  if (one.dueDate === null || other.dueDate === null) return one.dueDate === null ? 1 : -1;
  return compare(one.dueDate, other.dueDate);
}

function rank({ priority }: Todo): number {
  return priority === null ? PRIORITIES.length : PRIORITIES.indexOf(priority);
}

/** Ids are ULIDs after a prefix, so they increase with time across Hubs. */
function newestFirst(one: Todo, other: Todo): number {
  return compare(other.id, one.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function group(key: string, title: string, todos: readonly Todo[], isLate = false): TodoGroup {
  const status = key.startsWith('done-') ? 'done' : 'open';
  return { key, title, isLate, todos, count: todos.filter((todo) => todo.status === status).length };
}

function present(groups: readonly TodoGroup[]): TodoGroup[] {
  return groups.filter(({ todos }) => todos.length > 0);
}
