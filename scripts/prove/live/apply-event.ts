import type { EventFrame, Item } from '@hub/contract';
import { isItem } from '@hub/testkit';

/**
 * Applies an event as docs/live.md says: it replaces the item; a deleted item is removed, unless it is a message with
 * replies.
 */
export function applyByRule(items: Map<string, Item>, event: EventFrame): void {
  if (event.event === 'items.pruned') {
    for (const [id, { createdAt }] of items) if (createdAt < event.data.before) items.delete(id);
    return;
  }
  const { data } = event;
  if (!('kind' in data)) return;
  if (isItem(data) && (data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0))) {
    items.set(data.id, data);
  } else {
    items.delete(data.id);
  }
}
