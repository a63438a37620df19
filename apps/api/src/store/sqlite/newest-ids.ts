/** The ids of one list, newest first: those before `before`, at most `limit`. */
export type ReadIds = (before: string, limit: number) => string[];

interface OpenList {
  readonly read: ReadIds;
  /** Newest last, so that the next one is popped. */
  rows: string[];
  chunk: number;
  isAtEnd: boolean;
}

const FIRST_CHUNK = 4;
const LARGEST_CHUNK = 512;

/**
 * The newest ids of many lists together. Each is read in growing portions, as far as it is needed: to read as many of each as
 * are asked for of all would take a hundred times as long for somebody who belongs to some hundred Hubs.
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
    if (list.rows.length === 0) readOn(list, id);
    if (list.rows.length > 0) putBack(open, list);
  }
  return ids;
}

function opened(read: ReadIds, before: string): OpenList {
  const list: OpenList = { read, rows: [], chunk: FIRST_CHUNK, isAtEnd: false };
  readOn(list, before);
  return list;
}

function readOn(list: OpenList, before: string): void {
  if (list.isAtEnd) return;
  list.rows = list.read(before, list.chunk).reverse();
  // Less than was asked for: there is no more.
  list.isAtEnd = list.rows.length < list.chunk;
  list.chunk = Math.min(list.chunk * 4, LARGEST_CHUNK);
}

function headOf({ rows }: OpenList): string {
  return rows.at(-1) ?? '';
}

/** Binary insertion: the list whose head is the newest stays last. */
function putBack(open: OpenList[], list: OpenList): void {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (headOf(open[middle] as OpenList) < headOf(list)) low = middle + 1;
    else high = middle;
  }
  open.splice(low, 0, list);
}
