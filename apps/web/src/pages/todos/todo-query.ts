import type { Todo } from '@hub/contract';
import { withParameters } from '../../lib/router/urls.ts';
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

const SHOWS: readonly Show[] = ['open', 'done', 'all'];
const SORTS: readonly Sort[] = ['due', 'priority', 'newest'];

/** Reads the query from a URL; missing and unknown values fall back to the defaults. */
export function readTodoQuery(query: URLSearchParams): TodoQuery {
  return {
    show: oneOf(SHOWS, query.get('status')) ?? 'open',
    sort: oneOf(SORTS, query.get('sort')) ?? 'due',
    assignee: query.get('assignee') || null,
    priority: oneOf(PRIORITIES, query.get('priority')?.toUpperCase() ?? null) ?? null,
  };
}

/** Returns `query` with these filters written into it. */
export function writeTodoQuery(query: URLSearchParams, { show, sort, assignee, priority }: TodoQuery): URLSearchParams {
  return withParameters(query, {
    status: show === 'open' ? null : show,
    assignee,
    priority: priority?.toLowerCase(),
    sort: sort === 'due' ? null : sort,
  });
}

function oneOf<T extends string>(choices: readonly T[], value: string | null): T | undefined {
  return choices.find((choice) => choice === value);
}

/** Due dates to choose from, in days from now; without days: no date. */
export const QUICK_DATES: readonly { label: string; days?: (nowMs: number) => number }[] = [
  { label: 'Today', days: () => 0 },
  { label: 'Tomorrow', days: () => 1 },
  { label: 'Next week', days: daysToMonday },
  { label: 'No date' },
];
