import type { Item } from '@hub/contract';

/** Below 0 if `one` came before `other`. */
export type Order = (one: Item, other: Item) => number;

/** Of one Hub, in the order of its events: that of the server's lists. */
export const bySeq: Order = (one, other) => one.seq - other.seq;

/** Of several Hubs, in the order in which they were made: ids are ULIDs behind a prefix that says the kind. */
export const byMaking: Order = (one, other) => {
  const [first, second] = [placeOf(one.id), placeOf(other.id)];
  return first < second ? -1 : first > second ? 1 : 0;
};

function placeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** Where `item` stands or would stand among `sorted`. */
export function placeIn(sorted: readonly Item[], item: Item, order: Order): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(sorted[middle] as Item, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
