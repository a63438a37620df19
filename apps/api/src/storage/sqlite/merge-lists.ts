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
  const comesFirst = ({ next: one }: SortedList, { next: other }: SortedList): boolean =>
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

/** Reads the ids of one list, newest first: at most `limit` ids before `before`. */
export type ReadIds = (before: string, limit: number) => string[];

interface OpenIds {
  readonly read: ReadIds;
  /** The newest id is last, so that the next id can be popped. */
  rows: string[];
  chunk: number;
  isAtEnd: boolean;
}

/**
 * Returns the newest ids of many lists. Each list is read in growing portions and only as far as needed. For a user in
 * a few hundred Hubs, reading the full limit from each list would take a hundred times as long.
 */
export function newestIds(lists: readonly ReadIds[], before: string, limit: number): string[] {
  const open = lists.map((read) => opened(read, before)).filter(({ rows }) => rows.length > 0);
  // The list with the newest id is last.
  open.sort((one, other) => (isOlder(one, other) ? -1 : 1));
  const ids: string[] = [];
  while (ids.length < limit) {
    const list = open.pop();
    const id = list?.rows.pop();
    if (!list || id === undefined) break;
    ids.push(id);
    if (list.rows.length === 0) readMore(list, id);
    if (list.rows.length > 0) reinsert(open, list, isOlder);
  }
  return ids;
}

function opened(read: ReadIds, before: string): OpenIds {
  const list: OpenIds = { read, rows: [], chunk: FIRST_ROWS, isAtEnd: false };
  readMore(list, before);
  return list;
}

function readMore(list: OpenIds, before: string): void {
  if (list.isAtEnd) return;
  list.rows = list.read(before, list.chunk).reverse();
  // Fewer ids than requested: the list has ended.
  list.isAtEnd = list.rows.length < list.chunk;
  list.chunk = Math.min(list.chunk * 4, MAX_ROWS_AT_A_TIME);
}

function isOlder(one: OpenIds, other: OpenIds): boolean {
  return (one.rows.at(-1) ?? '') < (other.rows.at(-1) ?? '');
}

/** Inserts a list by binary search, so that the lists stay sorted. */
function reinsert<List>(open: List[], list: List, comesFirst: (one: List, other: List) => boolean): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesFirst(open[middle] as List, list)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, list);
}
