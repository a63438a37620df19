import type { Item } from '@hub/contract';

/** The kinds of items, for filters. */
export const KIND_CHOICES: readonly { kind: Item['kind']; label: string }[] = [
  { kind: 'message', label: 'Messages' },
  { kind: 'note', label: 'Notes' },
  { kind: 'todo', label: 'To-dos' },
];
