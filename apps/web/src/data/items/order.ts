import type { Item } from '@hub/contract';

/** Returns a negative number if `one` comes before `other`. */
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

/** Returns the index at which `item` is or belongs in `sorted`. */
export function insertionIndex(sorted: readonly Item[], item: Item, order: Order): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(sorted[middle] as Item, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
