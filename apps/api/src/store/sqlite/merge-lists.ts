/** What a filter looks at. */
export interface ListedRow {
  rank: number;
  hubId: string;
  keyId: string | null;
  authorId: string;
  status: 'open' | 'done' | null;
  assigneeId: string | null;
  deletedAt: number | null;
}

/** `older` reads down from the newest, `newer` up from the oldest. */
export type Direction = 'older' | 'newer';

/** One list in the order of commit, such as the notes of a Hub. */
export interface SortedList {
  /** The rank of its first row, or one before it in the direction of reading. */
  next: number;
  /** The rows that come after the rank `from`, at most `limit`. */
  read(from: number, limit: number): ListedRow[];
}

export interface MergeOptions {
  direction: Direction;
  /** Where all lists begin: after this rank. */
  from: number;
  limit: number;
  /** Left out: every row is taken. */
  matches?: ((row: ListedRow) => boolean) | undefined;
  /** Whether a row that does not match may be the end of a page all the same. Left out: every row may. */
  mayBeNamed?: ((row: ListedRow) => boolean) | undefined;
  /** How many rows are looked at, for a filter that few of them pass. */
  maxExamined: number;
}

export interface Merged {
  /** In the order of reading. */
  ranks: number[];
  /** The rank after which the next page begins; `null`: that was all. */
  next: number | null;
  /** Whether `next` is the rank of a row that may be named. It is, unless no such row was found in all that were looked at. */
  isNamed: boolean;
}

interface OpenList extends SortedList {
  rows: ListedRow[];
  /** How many of `rows` are used up. */
  used: number;
  from: number;
  chunk: number;
}

const MAX_ROWS_AT_A_TIME = 512;

/**
 * The first rows of many lists together. It reads only from the lists that are next, in growing portions: of a
 * thousand lists that hold a page, most are never opened.
 */
export function mergeLists(lists: readonly SortedList[], options: MergeOptions): Merged {
  const { direction, from, limit, matches, mayBeNamed, maxExamined } = options;
  const comesFirst = (one: number, other: number): boolean => (direction === 'older' ? one > other : one < other);
  const open: OpenList[] = lists
    .map(({ next, read }) => ({ next, read, rows: [], used: 0, from, chunk: lists.length === 1 ? limit + 1 : 4 }))
    .sort((one, other) => (comesFirst(one.next, other.next) ? -1 : 1));
  // Each list begins with a row of its own, so that one more of them than fit are enough.
  if (!matches && open.length > limit + 1) open.length = limit + 1;
  const ranks: number[] = [];
  let named: number | null = null;
  let examined = 0;

  for (let first = open.shift(); first; first = open.shift()) {
    const row = rowOf(first);
    if (!row) continue;
    if (row.rank !== first.next) {
      // It began later than it was said to: another list may be first.
      first.next = row.rank;
      putBack(open, first, comesFirst);
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
    putBack(open, first, comesFirst);
  }
  return { ranks, next: null, isNamed: true };
}

/** The first row that is not used up. */
function rowOf(list: OpenList): ListedRow | undefined {
  if (list.used < list.rows.length) return list.rows[list.used];
  // Less than was asked for: there is no more.
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

/** Binary insertion: the lists stay in the order of what they are to give next. */
function putBack(open: OpenList[], list: OpenList, comesFirst: (one: number, other: number) => boolean): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comesFirst(open[middle]?.next ?? 0, list.next)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, list);
}
