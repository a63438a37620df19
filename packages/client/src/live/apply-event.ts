import type { EventFrame } from './frames.ts';
import type { ErasedItem, Item } from './items.ts';

/** Items of any number of Hubs, by their ids. */
export type Items = ReadonlyMap<string, Item>;

/**
 * What is there after an event: a new map, or the same one if the event changes no item. Folding all events over what a
 * list held gives what a list holds now. Since an event tells its item as it is now, only that counts, and not its name:
 * what is there is put in its place, what was deleted is taken away; of a message with replies a blank stays.
 */
export function applyEvent(items: Items, event: EventFrame): Items {
  if (event.event === 'items.pruned') return withoutOlder(items, event.hubId, event.data.before);
  if (!isItemEvent(event)) return items;
  const { data } = event;
  if (isThere(data)) return new Map(items).set(data.id, data);
  return items.has(data.id) ? without(items, (item) => item.id === data.id) : items;
}

type ItemEvent = Extract<EventFrame, { data: Item | ErasedItem }>;

function isItemEvent(event: EventFrame): event is ItemEvent {
  return /^(?:message|note|todo)\./.test(event.event);
}

/** Whether lists show it. */
function isThere(data: Item | ErasedItem): data is Item {
  if (!('createdAt' in data)) return false;
  return data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0);
}

/** Times are all of one form, so that their order is that of their texts. */
function withoutOlder(items: Items, hubId: string, before: string): Items {
  return without(items, (item) => item.hubId === hubId && item.createdAt < before);
}

function without(items: Items, isGone: (item: Item) => boolean): Items {
  const left = [...items].filter(([, item]) => !isGone(item));
  return left.length === items.size ? items : new Map(left);
}
