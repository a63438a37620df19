import type { Item } from '@hub/contract';

/** Where an item is to be seen: in its conversation, its thread, or beside the list that it stands in. */
export function placeOf({ id, hubId, ...item }: Pick<Item, 'id' | 'hubId'> & Place): string {
  const hub = `/hubs/${encodeURIComponent(hubId)}`;
  const own = encodeURIComponent(id);
  if (item.kind === 'note') return `${hub}/notes?open=${own}`;
  if (item.kind === 'todo') return `${hub}/todos?open=${own}`;
  if (typeof item.parentId !== 'string') return `${hub}?at=${own}`;
  const parent = encodeURIComponent(item.parentId);
  return `${hub}?at=${parent}&open=${parent}&reply=${own}`;
}

interface Place {
  kind: Item['kind'];
  /** Of a message: the one that it replies to. */
  parentId?: string | null;
}
