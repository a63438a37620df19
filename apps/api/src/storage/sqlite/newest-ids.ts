/** Reads the ids of one list, newest first: at most `limit` ids before `before`. */
export type ReadIds = (before: string, limit: number) => string[];

interface OpenList {
  readonly read: ReadIds;
  /** The newest id is last, so that the next id can be popped. */
  rows: string[];
  chunk: number;
  isAtEnd: boolean;
}

const FIRST_CHUNK = 4;
const LARGEST_CHUNK = 512;

/**
 * Returns the newest ids of many lists. Each list is read in growing portions and only as far as needed. For a user in
 * a few hundred Hubs, reading the full limit from each list would take a hundred times as long.
 */
export function newestIds(lists: readonly ReadIds[], before: string, limit: number): string[] {
  const open = lists.map((read) => opened(read, before)).filter(({ rows }) => rows.length > 0);
  open.sort((one, other) => (headOf(one) < headOf(other) ? -1 : 1));
  const ids: string[] = [];
  while (ids.length < limit) {
    const list = open.pop();
    const id = list?.rows.pop();
    if (!list || id === undefined) break;
    ids.push(id);
    if (list.rows.length === 0) readMore(list, id);
    if (list.rows.length > 0) reinsert(open, list);
  }
  return ids;
}

function opened(read: ReadIds, before: string): OpenList {
  const list: OpenList = { read, rows: [], chunk: FIRST_CHUNK, isAtEnd: false };
  readMore(list, before);
  return list;
}

function readMore(list: OpenList, before: string): void {
  if (list.isAtEnd) return;
  list.rows = list.read(before, list.chunk).reverse();
  // Fewer ids than requested: the list has ended.
  list.isAtEnd = list.rows.length < list.chunk;
  list.chunk = Math.min(list.chunk * 4, LARGEST_CHUNK);
}

function headOf({ rows }: OpenList): string {
  return rows.at(-1) ?? '';
}

/** Inserts a list by binary search, so that the list with the newest head stays last. */
function reinsert(open: OpenList[], list: OpenList): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (headOf(open[middle] as OpenList) < headOf(list)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, list);
}
