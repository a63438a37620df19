import type { Todo } from '@hub/contract';

export type Priority = NonNullable<Todo['priority']>;

/** The most urgent first. */
export const PRIORITIES: readonly Priority[] = ['URGENT', 'HIGH', 'MEDIUM', 'LOW'];

const LABELS: Record<Priority, string> = { URGENT: 'Urgent', HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' };

export function priorityLabel(priority: Priority | null): string {
  return priority === null ? 'None' : LABELS[priority];
}
