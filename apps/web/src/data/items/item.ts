import type { ErasedItem, EventFrame, Item, Me, UserRef } from '@hub/contract';

export function isReply(item: Item): boolean {
  return item.kind === 'message' && item.parentId !== null;
}

/** Whether the event is about an item, whose current state is in `data`. */
export function isItemEvent(event: EventFrame): event is Extract<EventFrame, { data: Item | ErasedItem }> {
  return /^(?:message|note|todo)\./.test(event.event);
}

/** Whether the user may edit an item of their Hubs: authors their own messages, every member notes and to-dos. */
export function mayEdit(me: Pick<Me, 'id'>, item: Item): boolean {
  return item.kind !== 'message' || item.author.id === me.id;
}

/** Whether the user may delete an item of their Hubs: as for editing, and admins all messages. */
export function mayDelete(me: Pick<Me, 'id' | 'role'>, item: Item): boolean {
  return me.role !== 'member' || mayEdit(me, item);
}

/** "Ada Lovelace", or "nightly-backup (bot)" for a post by a key. */
export function authorText({ author, key }: Pick<Item, 'author' | 'key'>): string {
  return key ? `${key.name} (bot)` : author.name;
}

export type Order = (one: Item, other: Item) => number;

/** The order of the items of one Hub: by event, like the server's lists. */
export const bySeq: Order = (one, other) => one.seq - other.seq;

/** The order of the items of several Hubs: by creation, since ids are ULIDs after a prefix for the kind. */
export const byCreation: Order = (one, other) => {
  const [first, second] = [creationKey(one.id), creationKey(other.id)];
  return first < second ? -1 : first > second ? 1 : 0;
};

function creationKey(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

export function insertionIndex(sorted: readonly Item[], item: Item, order: Order): number {
  return firstIndex(sorted.length, (n) => order(sorted[n] as Item, item) >= 0);
}

/** Fields stored as posted. Nothing in them refers to a user by id. */
const AS_POSTED: readonly string[] = ['blocks'];

/** Returns the item with the user's new name; the same object if nothing changes. */
export function renamed(item: Item, user: UserRef): Item {
  return within(item, user) as Item;
}

function within(value: unknown, user: UserRef): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const changed = value.map((each) => within(each, user));
    return changed.some((each, n) => each !== value[n]) ? changed : value;
  }
  let result: Record<string, unknown> = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) {
    const changed = AS_POSTED.includes(name) ? inner : within(inner, user);
    if (changed !== inner) result = { ...result, [name]: changed };
  }
  const isUser = result.id === user.id && typeof result.name === 'string' && result.name !== user.name;
  return isUser ? { ...result, name: user.name } : result;
}

/** Returns the first index below `count` for which `holds` is true, as it is for all later ones; `count` if there is none. */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
