import type { Item } from '@hub/contract';

export function isReply(item: Item): boolean {
  return item.kind === 'message' && item.parentId !== null;
}
