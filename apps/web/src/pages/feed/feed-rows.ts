import type { Item } from '@hub/contract';
import { firstIndex } from '../../data/items/item.ts';
import { dayKey } from '../../lib/time/format.ts';

const TOGETHER_MS = 5 * 60_000;

/** Whether this item is the first of its day among the loaded items. */
export function beginsDay(item: Item, before: Item | undefined): boolean {
  return before === undefined || dayKey(item.createdAt) !== dayKey(before.createdAt);
}

/** Whether the item continues a burst by the same author and needs no header of its own. */
function continuesBurst(item: Item, before: Item | undefined): boolean {
  if (before === undefined || item.deletedAt !== null || before.deletedAt !== null) return false;
  if (item.author.id !== before.author.id || item.key?.id !== before.key?.id || beginsDay(item, before)) return false;
  return Date.parse(item.createdAt) - Date.parse(before.createdAt) < TOGETHER_MS;
}

/** In a long burst, the author and time are shown again after this many rows. */
const BURST_ROWS = 10;
/** How many rows an item is below the last header, cached so that loading older items moves no header. */
const belowHead = new WeakMap<Item, number>();

/** Whether the row of this item needs no header of its own. */
export function isHeadless(items: readonly Item[], index: number): boolean {
  let first = index;
  for (
    let item = items[first];
    item && !belowHead.has(item) && continuesBurst(item, items[first - 1]);
    item = items[first]
  ) {
    first -= 1;
  }
  for (let n = first; n <= index; n += 1) {
    const [before, item] = [items[n - 1], items[n]];
    if (!item || belowHead.has(item)) continue;
    const above = before && continuesBurst(item, before) ? belowHead.get(before) : undefined;
    belowHead.set(item, above === undefined ? 0 : (above + 1) % BURST_ROWS);
  }
  const item = items[index];
  return item !== undefined && continuesBurst(item, items[index - 1]) && belowHead.get(item) !== 0;
}

/** Returns the index of the first item with event `seq` or later. `items` are sorted by event. */
export function indexOfSeq(items: readonly Item[], seq: number): number {
  return firstIndex(items.length, (n) => (items[n]?.seq ?? 0) >= seq);
}

type Condition = (item: Item) => boolean;

/** Returns the index of the first item after the read marker that may be new, below the "New" divider, or −1. */
export function firstAfter(items: readonly Item[], mark: number, mayBeNew: Condition): number {
  const from = indexOfSeq(items, mark + 1);
  return items.findIndex((item, index) => index >= from && mayBeNew(item));
}

/** Returns how many of the items from this index on may be new. */
export function countFrom(items: readonly Item[], from: number, mayBeNew: Condition): number {
  let count = 0;
  for (const item of items.slice(from)) if (mayBeNew(item)) count += 1;
  return count;
}
