import type { ItemRowKind } from '../item-store.ts';

/** The columns that filters use. */
export interface ListedRow {
  rank: number;
  hubId: string;
  kind: ItemRowKind;
  keyId: string | null;
  authorId: string;
  status: 'open' | 'done' | null;
  assigneeId: string | null;
  deletedAt: number | null;
}

/** `older` reads down from the newest, `newer` up from the oldest. */
export type Direction = 'older' | 'newer';

/** A list in commit order, such as the notes of a Hub. */
export interface SortedList {
  /** The rank of the list's first row, or a rank that comes before it in reading order. */
  next: number;
  /** Returns at most `limit` rows after the rank `from`. */
  read(from: number, limit: number): ListedRow[];
}

export interface MergeOptions {
  direction: Direction;
  /** All lists start after this rank. */
  from: number;
  limit: number;
  /** If omitted, every row matches. */
  matches?: ((row: ListedRow) => boolean) | undefined;
  /** Whether a row that does not match may still be the end of a page. If omitted, every row may. */
  mayBeNamed?: ((row: ListedRow) => boolean) | undefined;
  /** Maximum number of rows examined. Limits the work for a filter with few matches. */
  maxExamined: number;
}

export interface Merged {
  /** In reading order. */
  ranks: number[];
  /** The rank after which the next page begins; `null` at the end. */
  next: number | null;
  /** Whether `next` is the rank of a row that may be revealed. False only if none of the examined rows may. */
  isNamed: boolean;
}

interface OpenList extends SortedList {
  rows: ListedRow[];
  /** How many of `rows` are already consumed. */
  used: number;
  from: number;
  chunk: number;
}

const FIRST_ROWS = 4;
const MAX_ROWS_AT_A_TIME = 512;

/**
 * Merges the first rows of many lists. It reads only the lists whose rows come next, in growing portions: if a thousand
 * lists could contribute to a page, most are never opened.
 */
export function mergeLists(lists: readonly SortedList[], options: MergeOptions): Merged {
  const { direction, from, limit, matches, mayBeNamed, maxExamined } = options;
  const comesFirst: ComesFirst = ({ next: one }, { next: other }) =>
    direction === 'older' ? one > other : one < other;
  const open: OpenList[] = lists
    .map(({ next, read }) => ({
      next,
      read,
      rows: [],
      used: 0,
      from,
      chunk: lists.length === 1 ? limit + 1 : FIRST_ROWS,
    }))
    .sort((one, other) => (comesFirst(one, other) ? -1 : 1));
  // Each list starts with a different row, so one more list than the limit is enough.
  if (!matches && open.length > limit + 1) open.length = limit + 1;
  const ranks: number[] = [];
  let named: number | null = null;
  let examined = 0;

  for (let first = open.shift(); first; first = open.shift()) {
    const row = rowOf(first);
    if (!row) continue;
    if (row.rank !== first.next) {
      // The list starts later than announced, so another list may come first.
      first.next = row.rank;
      reinsert(open, first, comesFirst);
      continue;
    }
    if (!matches || matches(row)) {
      if (ranks.length === limit) return { ranks, next: named, isNamed: true };
      ranks.push(row.rank);
      named = row.rank;
    } else if (!mayBeNamed || mayBeNamed(row)) named = row.rank;
    examined += 1;
    if (examined >= maxExamined) return { ranks, next: named ?? row.rank, isNamed: named !== null };
    first.used += 1;
    const following = rowOf(first);
    if (!following) continue;
    first.next = following.rank;
    reinsert(open, first, comesFirst);
  }
  return { ranks, next: null, isNamed: true };
}

/** Returns the first row that is not consumed. */
function rowOf(list: OpenList): ListedRow | undefined {
  if (list.used < list.rows.length) return list.rows[list.used];
  // Fewer rows than requested: the list has ended.
  if (list.rows.length > 0 && list.rows.length < list.chunk) return undefined;
  const last = list.rows.at(-1);
  if (last) {
    list.from = last.rank;
    list.chunk = Math.min(list.chunk * 4, MAX_ROWS_AT_A_TIME);
  }
  list.rows = list.read(list.from, list.chunk);
  list.used = 0;
  return list.rows[0];
}

type ComesFirst = (one: SortedList, other: SortedList) => boolean;

/** Inserts a list by binary search, so that the lists stay sorted. */
function reinsert(open: OpenList[], list: OpenList, comesFirst: ComesFirst): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesFirst(open[middle] as OpenList, list)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, list);
}
