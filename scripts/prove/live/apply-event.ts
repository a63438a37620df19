import type { EventFrame, Item } from '../../../packages/contract/src/index.ts';
import { isItem } from './frames.ts';

/** The rule of docs/live.md: an event replaces the item; a deleted item is removed, except for a message with replies. */
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
