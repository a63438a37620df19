import type { Item } from '@hub/contract';

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
