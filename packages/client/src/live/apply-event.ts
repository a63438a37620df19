import type { ErasedItem, Item } from '../items.ts';
import type { EventFrame } from './frames.ts';

/** Items of any number of Hubs, by ID. */
export type Items = ReadonlyMap<string, Item>;

/**
 * Returns the items after an event: a new map, or the same one if the event changes no item. Applying all events in
 * order to the items of a list gives the current items of that list. An event contains the current version of its item,
 * so the state of the item decides, not the name of the event: a deleted item is removed, and any other item is added
 * or replaced. A deleted message with replies stays as a blank message.
 */
export function applyEvent(items: Items, event: EventFrame): Items {
  if (event.event === 'items.pruned') return withoutOlder(items, event.hubId, event.data.before);
  if (!isItemEvent(event)) return items;
  const { data } = event;
  if (isVisible(data)) return new Map(items).set(data.id, data);
  return items.has(data.id) ? without(items, (item) => item.id === data.id) : items;
}

type ItemEvent = Extract<EventFrame, { data: Item | ErasedItem }>;

function isItemEvent(event: EventFrame): event is ItemEvent {
  return /^(?:message|note|todo)\./.test(event.event);
}

/** Returns whether lists show the item. */
function isVisible(data: Item | ErasedItem): data is Item {
  if (!('createdAt' in data)) return false;
  return data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0);
}

/** All timestamps have the same format, so that comparing the strings compares the times. */
function withoutOlder(items: Items, hubId: string, before: string): Items {
  return without(items, (item) => item.hubId === hubId && item.createdAt < before);
}

function without(items: Items, isRemoved: (item: Item) => boolean): Items {
  const remaining = [...items].filter(([, item]) => !isRemoved(item));
  return remaining.length === items.size ? items : new Map(remaining);
}
