import type { Item, TodoStatus } from '@hub/contract';
import { KIND_CHOICES } from '../../lib/kind-choices.ts';

interface SearchKind {
  id: string;
  name: string;
  kind: Item['kind'];
  status: TodoStatus | null;
}

/** The kinds to search for, with open and completed to-dos. */
export const SEARCH_KINDS: readonly SearchKind[] = [
  ...KIND_CHOICES.map(({ kind, label }) => ({ id: kind, name: label, kind, status: null })),
  { id: 'todo-open', name: 'Open to-dos', kind: 'todo', status: 'open' },
  { id: 'todo-done', name: 'Completed to-dos', kind: 'todo', status: 'done' },
];

export function findKind(query: { kind: string | null; status: string | null }): SearchKind | undefined {
  return SEARCH_KINDS.find(({ kind, status }) => kind === query.kind && status === query.status);
}
