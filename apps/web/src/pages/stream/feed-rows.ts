import type { Item } from '@hub/contract';
import type { CollapsedItems, Repeats } from '../../lib/repeats.ts';

/** A row of a feed with the newest items on top: an item and the headings above it. */
export interface FeedRow {
  id: string;
  /** The time of the first item of a day, for its heading; otherwise `null`. */
  day: string | null;
  isFresh: boolean;
  /** How many new items are above; 0 if the divider between new and old is elsewhere. */
  newAbove: number;
  repeats: Repeats | undefined;
}

/** `items`: oldest first. */
interface FeedRowsInput extends CollapsedItems {
  isFresh: (item: Item) => boolean;
  /** Whether everything older than these items has been read. */
  isRestRead: () => boolean;
  /** Returns the day in the reader's time zone. */
  dayOf: (iso: string) => string;
}

/** Returns the rows of a feed, newest first. */
export function feedRows({ items, repeats, isFresh, isRestRead, dayOf }: FeedRowsInput): FeedRow[] {
  const rows: FeedRow[] = [];
  let day = '';
  let newCount = 0;
  /** The position below the oldest new item: everything from there on has been read. */
  let dividerIndex = 0;
  for (const item of items.toReversed()) {
    const own = dayOf(item.createdAt);
    const fresh = isFresh(item);
    const ownRepeats = repeats.get(item.id);
    rows.push({
      ...{ id: item.id, day: own === day ? null : item.createdAt, isFresh: fresh, newAbove: 0 },
      repeats: ownRepeats,
    });
    day = own;
    if (!fresh) continue;
    newCount += 1 + (ownRepeats?.isOpen === false ? ownRepeats.older.length : 0);
    dividerIndex = rows.length;
  }
  const below = rows[dividerIndex];
  if (below && newCount > 0 && isRestRead()) below.newAbove = newCount;
  return rows;
}

/** The maximum number of rows in a chunk. */
export const CHUNK_ROWS = 50;

/**
 * Divides rows into chunks of about the same length. The boundaries are kept, so an added item changes only one chunk.
 * `cuts` contains the ids of the items that chunks begin with; new ones are added to it.
 */
export function chunksOf(rows: readonly FeedRow[], cuts: Set<string>): FeedRow[][] {
  const chunks: FeedRow[][] = [];
  // Start with the oldest: new items are added on top, to the chunk that is still growing.
  let chunk: FeedRow[] = [];
  for (const row of rows.toReversed()) {
    if (chunk.length >= CHUNK_ROWS || cuts.has(row.id)) {
      if (chunk.length > 0) chunks.push(chunk);
      chunk = [];
    }
    if (chunk.length === 0) cuts.add(row.id);
    chunk.push(row);
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks.map((each) => each.toReversed()).toReversed();
}

export function areSameRows(one: readonly FeedRow[], other: readonly FeedRow[]): boolean {
  return one.length === other.length && one.every((row, n) => isSameRow(row, other[n]));
}

function isSameRow(one: FeedRow, other: FeedRow | undefined): boolean {
  if (one.id !== other?.id || one.day !== other.day || one.isFresh !== other.isFresh) return false;
  const areSameRepeats =
    one.repeats?.isOpen === other.repeats?.isOpen && one.repeats?.older.length === other.repeats?.older.length;
  return one.newAbove === other.newAbove && areSameRepeats;
}
