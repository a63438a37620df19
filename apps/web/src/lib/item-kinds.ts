import type { Item } from '@hub/contract';

/** The kinds of items, for filters. */
export const KIND_CHOICES: readonly { kind: Item['kind']; label: string }[] = [
  { kind: 'message', label: 'Messages' },
  { kind: 'note', label: 'Notes' },
  { kind: 'todo', label: 'To-dos' },
];

/** Returns the kind of an item as text. */
export function kindLabel(item: Pick<Item, 'kind'> & { parentId?: string | null }): string {
  if (item.kind === 'note') return 'Note';
  if (item.kind === 'todo') return 'To-do';
  return typeof item.parentId === 'string' ? 'Reply' : 'Message';
}

/** Returns what the author did; null for a message, which needs no explanation. */
export function verb(item: Item): string | null {
  if (item.kind === 'note') return 'wrote a note';
  if (item.kind === 'todo') return 'added a to-do';
  return item.parentId === null ? null : 'replied';
}
