import type { Item, Me } from '@hub/contract';

/**
 * Whether the user may edit and delete an item of their Hubs: authors change their own messages and admins all messages,
 * also those posted with a key; every member changes notes and to-dos.
 */
export function mayChange(me: Pick<Me, 'id' | 'role'>, item: Item): boolean {
  return item.kind !== 'message' || item.author.id === me.id || me.role !== 'member';
}
