import type { ErasedItem, EventFrame, Item } from '@hub/contract';

/** Whether the event is about an item, whose current state is in `data`. */
export function isItemEvent(event: EventFrame): event is Extract<EventFrame, { data: Item | ErasedItem }> {
  return /^(?:message|note|todo)\./.test(event.event);
}
