import type { ErasedItem, EventFrame, Item } from '@hub/contract';

/** Whether something is there that was not before. */
export function isNewItem(event: EventFrame): event is Extract<EventFrame, { data: Item | ErasedItem }> {
  return /^(?:message|note|todo)\.(?:created|restored)$/.test(event.event);
}
