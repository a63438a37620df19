import type { Item } from '@hub/contract';

/** One item of a feed that has the newest on top, and what stands above it. */
export interface FeedRow {
  id: string;
  /** The time of an item with which a day begins, for its head. */
  day: string | null;
  isFresh: boolean;
  /** How many new items are above; 0 if the divider between new and old is elsewhere. */
  newAbove: number;
}

export interface FeedRowsInput {
  /** Oldest first. */
  items: readonly Item[];
  isFresh: (item: Item) => boolean;
  /** Nothing older than these items is new. */
  isRestRead: () => boolean;
  /** Which day of the reader's it is. */
  dayOf: (iso: string) => string;
}

/** The rows of a feed, newest first. */
export function feedRows({ items, isFresh, isRestRead, dayOf }: FeedRowsInput): FeedRow[] {
  const rows: FeedRow[] = [];
  let day = '';
  let news = 0;
  /** The position below the oldest item that is new: everything from there on is read. */
  let line = 0;
  for (const item of items.toReversed()) {
    const own = dayOf(item.createdAt);
    const fresh = isFresh(item);
    rows.push({ id: item.id, day: own === day ? null : item.createdAt, isFresh: fresh, newAbove: 0 });
    day = own;
    if (!fresh) continue;
    news += 1;
    line = rows.length;
  }
  const below = rows[line];
  if (below && news > 0 && isRestRead()) below.newAbove = news;
  return rows;
}

/** A part of a feed holds no more rows. */
export const CHUNK_ROWS = 50;

/**
 * Cuts rows into parts of about the same length. Where it was cut once it is cut again, so that what arrives at an end, or in a
 * place, changes one part alone. `cuts` holds the ids with which parts begin, and is added to.
 */
export function chunksOf(rows: readonly FeedRow[], cuts: Set<string>): FeedRow[][] {
  const chunks: FeedRow[][] = [];
  // From the oldest on: what is new comes on top, into the part that is still growing.
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
  return (
    one.id === other?.id && one.day === other.day && one.isFresh === other.isFresh && one.newAbove === other.newAbove
  );
}
