import type { Item } from '@hub/contract';

/** What an item is. */
export function kindWord(item: Pick<Item, 'kind'> & { parentId?: string | null }): string {
  if (item.kind === 'note') return 'Note';
  if (item.kind === 'todo') return 'To-do';
  return typeof item.parentId === 'string' ? 'Reply' : 'Message';
}

/** What somebody did who made it; nothing for a message, which speaks for itself. */
export function verb(item: Item): string | null {
  if (item.kind === 'note') return 'wrote a note';
  if (item.kind === 'todo') return 'added a to-do';
  return item.parentId === null ? null : 'replied';
}
