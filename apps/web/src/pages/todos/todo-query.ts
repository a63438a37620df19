import type { Todo } from '@hub/contract';
import { oneIn, textIn, urlFilters } from '../../lib/router/filters.ts';
import { daysToMonday } from '../../lib/time/due.ts';

export type Priority = NonNullable<Todo['priority']>;

export const PRIORITIES: readonly Priority[] = ['URGENT', 'HIGH', 'MEDIUM', 'LOW'];

const LABELS: Record<Priority, string> = { URGENT: 'Urgent', HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' };

export function priorityLabel(priority: Priority | null): string {
  return priority === null ? 'None' : LABELS[priority];
}

export type Show = 'open' | 'done' | 'all';
export type Sort = 'due' | 'priority' | 'newest';

/** Which to-dos are shown, and in which order. It is kept in the URL, so that a link shows the same list. */
export interface TodoQuery {
  show: Show;
  sort: Sort;
  /** `me`, `none` for unassigned, or the id of a user; `null`: anyone. */
  assignee: string | null;
  priority: Priority | null;
}

export const todoFilters = urlFilters<TodoQuery>({
  show: oneIn('status', ['open', 'done', 'all'], 'open'),
  sort: oneIn('sort', ['due', 'priority', 'newest'], 'due'),
  assignee: textIn('assignee'),
  priority: {
    parameter: 'priority',
    none: null,
    read: (text) => PRIORITIES.find((priority) => priority === text.toUpperCase()),
    write: (priority) => priority.toLowerCase(),
  },
});

/** Due dates to choose from, in days from now; without days: no date. */
export const QUICK_DATES: readonly { label: string; days?: (nowMs: number) => number }[] = [
  { label: 'Today', days: () => 0 },
  { label: 'Tomorrow', days: () => 1 },
  { label: 'Next week', days: daysToMonday },
  { label: 'No date' },
];
