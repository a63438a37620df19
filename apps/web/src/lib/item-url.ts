import type { Item } from '@hub/contract';

/** Returns the URL that shows an item: in its conversation, in its thread, or in a panel beside its list. */
export function itemUrl({ id, hubId, ...item }: Pick<Item, 'id' | 'hubId'> & KindAndParent): string {
  const hub = `/hubs/${encodeURIComponent(hubId)}`;
  const own = encodeURIComponent(id);
  if (item.kind === 'note') return `${hub}/notes?open=${own}`;
  if (item.kind === 'todo') return `${hub}/todos?open=${own}`;
  if (typeof item.parentId !== 'string') return `${hub}?at=${own}`;
  const parent = encodeURIComponent(item.parentId);
  return `${hub}?at=${parent}&open=${parent}&reply=${own}`;
}

interface KindAndParent {
  kind: Item['kind'];
  /** For a reply, the message it replies to. */
  parentId?: string | null;
}
