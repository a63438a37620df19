import type { Item } from '@hub/contract';

const TOGETHER_MS = 5 * 60_000;

/** Where the reader's local day of an item begins; items are many and days few, so each is worked out once. */
const days = new WeakMap<Item, string>();

function dayOf(item: Item): string {
  const known = days.get(item);
  if (known !== undefined) return known;
  const date = new Date(item.createdAt);
  const day = `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
  days.set(item, day);
  return day;
}

/** Whether a day begins with this item, as far as items are there. */
export function beginsDay(item: Item, before: Item | undefined): boolean {
  return before === undefined || dayOf(item) !== dayOf(before);
}

/** Whether it goes on where the same author has just stopped, so that it needs no head of its own. */
function goesOn(item: Item, before: Item | undefined): boolean {
  if (before === undefined || item.deletedAt !== null || before.deletedAt !== null) return false;
  if (item.author.id !== before.author.id || item.key?.id !== before.key?.id || beginsDay(item, before)) return false;
  return Date.parse(item.createdAt) - Date.parse(before.createdAt) < TOGETHER_MS;
}

/** A long burst shows again, after so many rows, who writes it and when. */
const BURST_ROWS = 10;
/** How many rows an item is below the last head: kept, so that older items that are loaded move no head. */
const belowHead = new WeakMap<Item, number>();

/** Whether the row of this item needs no head of its own. */
export function isHeadless(items: readonly Item[], place: number): boolean {
  let first = place;
  for (let item = items[first]; item && !belowHead.has(item) && goesOn(item, items[first - 1]); item = items[first]) {
    first -= 1;
  }
  for (let n = first; n <= place; n += 1) {
    const [before, item] = [items[n - 1], items[n]];
    if (!item || belowHead.has(item)) continue;
    const above = before && goesOn(item, before) ? belowHead.get(before) : undefined;
    belowHead.set(item, above === undefined ? 0 : (above + 1) % BURST_ROWS);
  }
  const item = items[place];
  return item !== undefined && goesOn(item, items[place - 1]) && belowHead.get(item) !== 0;
}

/** Where the first item stands that came with event `seq` or later. `items` are sorted by their events. */
export function placeOfSeq(items: readonly Item[], seq: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of what others wrote after the mark: over it stands the unread line. −1 if there is none. */
export function firstAfter(items: readonly Item[], mark: number, myId: string): number {
  let place = placeOfSeq(items, mark + 1);
  while (place < items.length && items[place]?.author.id === myId) place += 1;
  return place < items.length ? place : -1;
}

/** How many from this place on others wrote. */
export function countOfOthers(items: readonly Item[], from: number, myId: string): number {
  let count = 0;
  for (let n = from; n < items.length; n += 1) if (items[n]?.author.id !== myId) count += 1;
  return count;
}
