import type { Todo } from '@hub/contract';

export type Priority = NonNullable<Todo['priority']>;

/** The most pressing first. */
export const PRIORITIES: readonly Priority[] = ['URGENT', 'HIGH', 'MEDIUM', 'LOW'];

const WORDS: Record<Priority, string> = { URGENT: 'Urgent', HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' };

export function priorityWord(priority: Priority | null): string {
  return priority === null ? 'None' : WORDS[priority];
}
