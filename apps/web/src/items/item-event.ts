import type { ErasedItem, EventFrame, Item } from '@hub/contract';

/** Whether it tells of an item: what it is now is in its `data`. */
export function isItemEvent(event: EventFrame): event is Extract<EventFrame, { data: Item | ErasedItem }> {
  return /^(?:message|note|todo)\./.test(event.event);
}
