import type { TodoStatus } from '@hub/contract';
import { eq, sql } from 'drizzle-orm';
import { cursorAtTime, idTime } from '../platform/ids.ts';
import type { Connection } from './engine/connection.ts';
import { given, listedNumbers, query, rawQuery, select, toList } from './engine/query.ts';
import { eventLog } from './events.ts';
import { hubIdOfItem, type ItemRecord, type ItemRowKind, selectItems, toItemRecord } from './items.ts';
import { items } from './schema/items.table.ts';
import { workspace } from './schema/workspace.table.ts';

/** A cursor before every item: a list `after` this cursor begins with the oldest item. */
export const BEFORE_ALL_ITEMS = `item_${'0'.repeat(26)}`;

/** Text of one page in bytes; a single item may exceed it. Reading and serializing it takes as long as twenty posts. */
export const MAX_PAGE_BYTES = 256 * 1024;

const AFTER_ALL_GLOBAL_SEQS = Number.MAX_SAFE_INTEGER;

/**
 * Rows examined for a filter, in a few milliseconds. Then the page is short, and `next` continues from there: a filter
 * with few matches costs its user more requests, and delays nobody else.
 */
const MAX_EXAMINED = 500;

export interface PageRange {
  limit: number;
  /** Item ids: only items older than `before`, or newer than `after`, are listed. At most one may be given. */
  before?: string | undefined;
  after?: string | undefined;
}

export interface ItemQuery extends PageRange {
  hubIds: readonly string[];
  kinds: readonly ItemRowKind[];
  keyId?: string | undefined;
  authorId?: string | undefined;
  status?: TodoStatus | undefined;
  assigneeId?: string | null | undefined;
  /** Instead of `MAX_PAGE_BYTES`. */
  maxBytes?: number | undefined;
  /** Only items after this user's read marks. */
  unreadBy?: string | undefined;
}

/** One page, newest first, and the sequence number that it reflects for each Hub, read in one snapshot. */
export interface ItemPage {
  items: ItemRecord[];
  next: string | null;
  seqs: Record<string, number>;
  epoch: string;
}

/** `older` reads down from the newest, `newer` up from the oldest. */
export type Direction = 'older' | 'newer';

const { globalSeq, kind, keyId, authorId, status, assigneeId, deletedAt } = items;
/** The columns that filters use. */
export const listedColumns = { globalSeq, hubId: hubIdOfItem, kind, keyId, authorId, status, assigneeId, deletedAt };

export type ListedRow = Pick<ItemRecord, keyof typeof listedColumns>;

const rowAt = select({ id: items.id, createdAt: items.createdAt }, items, eq(globalSeq, given('globalSeq')));
const amongGlobalSeqs = sql`${globalSeq} in ${listedNumbers('globalSeqs')}`;
// Databases know the length of a text without reading it.
const bytes = sql`coalesce(octet_length(${items.body}), 0) + coalesce(octet_length(${items.blocks}), 0)
  + coalesce(octet_length(${items.title}), 0)`.mapWith(Number);
const sizesOf = select({ globalSeq, bytes }, items, amongGlobalSeqs);
const byGlobalSeq = query(() => selectItems().where(amongGlobalSeqs));
const readEpoch = select({ epoch: workspace.epoch }, workspace);

export interface ListPage extends PageRange {
  /** The Hubs that the caller may read; rows of other Hubs are never revealed, not even in `next`. */
  hubIds: readonly string[];
  maxBytes?: number | undefined;
  /** Reads at most `limit` rows after the global sequence number `from`, in any order. */
  read: (position: Position) => Promise<ListedRow[]>;
  matches?: ((row: ListedRow) => boolean) | undefined;
  /** Whether a row that does not match may still be the end of a page. If omitted, every row may. */
  mayBeNamed?: ((row: ListedRow) => boolean) | undefined;
}
export interface Position {
  direction: Direction;
  from: number;
  limit: number;
}

/** Reads a page of a list, and the cursor of the next page. `on` must be a snapshot. */
export async function readPage(on: Connection, list: ListPage): Promise<ItemPage> {
  const { globalSeqs: found, next } = await readGlobalSeqs(on, list);
  const globalSeqs = await fitting(on, found, list.maxBytes ?? MAX_PAGE_BYTES);
  const last = globalSeqs.at(-1);
  const isCut = globalSeqs.length < found.length && last !== undefined;
  return {
    items: await recordsOf(on, globalSeqs),
    next: isCut ? ((await on.first(rowAt, { globalSeq: last }))?.id ?? next) : next,
    seqs: Object.fromEntries(await eventLog(on).heads(list.hubIds)),
    epoch: (await on.first(readEpoch))?.epoch ?? '',
  };
}

/** Returns the items with these global sequence numbers, newest first. */
export async function recordsOf(on: Connection, globalSeqs: readonly number[]): Promise<ItemRecord[]> {
  if (globalSeqs.length === 0) return [];
  const rows = await on.all(byGlobalSeq, { globalSeqs: toList(globalSeqs) });
  return rows.sort((one, other) => other.globalSeq - one.globalSeq).map(toItemRecord);
}

async function readGlobalSeqs(on: Connection, list: ListPage): Promise<{ globalSeqs: number[]; next: string | null }> {
  const { hubIds, before, after } = list;
  const direction = after === undefined ? 'older' : 'newer';
  const cursor = after ?? before;
  const from =
    cursor === undefined ? AFTER_ALL_GLOBAL_SEQS : await globalSeqOfCursor(on, cursor, { hubIds, direction });
  for (let start = from; ; ) {
    const { globalSeqs, next, isNamed } = await examine(list, { direction, from: start });
    if (next === null) return { globalSeqs, next: null };
    const name = isNamed
      ? (await on.first(rowAt, { globalSeq: next }))?.id
      : await timeCursor(on, next, { from, hubIds, direction });
    if (name) return { globalSeqs, next: name };
    start = next;
  }
}

interface Examined {
  globalSeqs: number[];
  next: number | null;
  /** Whether the row of `next` may be revealed. False only if none of the examined rows may. */
  isNamed: boolean;
}

/** Examines rows until the page is full. A filter reads them in growing portions, since most pages need few. */
async function examine(
  { limit, matches, mayBeNamed, read }: ListPage,
  { direction, from }: { direction: Direction; from: number },
): Promise<Examined> {
  const globalSeqs: number[] = [];
  let named: number | null = null;
  let examined = 0;
  let last = from;
  for (let portion = limit + 1; ; portion *= 4) {
    if (matches) portion = Math.min(portion, MAX_EXAMINED - examined);
    const rows = await read({ direction, from: last, limit: portion });
    rows.sort((one, other) =>
      direction === 'older' ? other.globalSeq - one.globalSeq : one.globalSeq - other.globalSeq,
    );
    for (const row of rows) {
      last = row.globalSeq;
      if (!matches || matches(row)) {
        if (globalSeqs.length === limit) return { globalSeqs, next: named, isNamed: true };
        globalSeqs.push(row.globalSeq);
        named = row.globalSeq;
      } else if (!mayBeNamed || mayBeNamed(row)) named = row.globalSeq;
    }
    examined += rows.length;
    if (rows.length < portion) return { globalSeqs, next: null, isNamed: true };
    if (examined >= MAX_EXAMINED) return { globalSeqs, next: named ?? last, isNamed: named !== null };
  }
}

/**
 * Returns a cursor of a time only, for when the last examined row must not be revealed. `null` if it would not lie
 * between the start of the page and the next row, for example if the rows are from the same millisecond.
 */
async function timeCursor(
  on: Connection,
  globalSeq: number,
  { from, hubIds, direction }: { from: number; hubIds: readonly string[]; direction: Direction },
): Promise<string | null> {
  const time = (await on.first(rowAt, { globalSeq }))?.createdAt ?? 0;
  const cursor = cursorAtTime(time, direction === 'older' ? 'after' : 'before');
  const reached = await globalSeqOfCursor(on, cursor, { hubIds, direction });
  const isBetween =
    direction === 'older' ? globalSeq <= reached && reached < from : from < reached && reached <= globalSeq;
  return isBetween ? cursor : null;
}

/** Returns as many of these global sequence numbers, in reading order, as fit within the size limit. */
async function fitting(on: Connection, globalSeqs: readonly number[], maxBytes: number): Promise<number[]> {
  if (globalSeqs.length === 0) return [];
  const sizes = new Map(
    (await on.all(sizesOf, { globalSeqs: toList(globalSeqs) })).map(({ globalSeq, bytes }) => [globalSeq, bytes]),
  );
  let bytes = 0;
  return globalSeqs.filter((globalSeq, index) => {
    bytes += sizes.get(globalSeq) ?? 0;
    return index === 0 || bytes <= maxBytes;
  });
}

const positionOf = select({ globalSeq, hubId: hubIdOfItem }, items, eq(items.id, given('id')));
/** The item in the middle of the range that is left, or the next one. */
const isBehind = sql`coalesce(case when middle.created_at = ${given('time')}
    then substr(middle.id, length(middle.id) - 25) > ${given('rest')}
    else middle.created_at > ${given('time')} end, true)`;
/** Finds the first global sequence number behind the cursor by binary search, since these numbers rise with time. */
const firstBehind = rawQuery(
  sql`with recursive search (low, high) as (
      select cast(0 as bigint), (select coalesce(max(global_seq), 0) from items) + 1
      union all
      select case when ${isBehind} then search.low else middle.global_seq + 1 end,
        case when ${isBehind} then (search.low + search.high) / 2 else search.high end
        from search left join items as middle
          on middle.global_seq = (select min(global_seq) from items where global_seq >= (search.low + search.high) / 2)
        where search.low < search.high)
    select max(low) from search`,
  ([globalSeq]) => Number(globalSeq),
);

/**
 * Returns the position of an id in commit order. If no item in these Hubs has it, the position follows from the time in
 * the id and then its rest: so that of an item in another Hub reveals no more than its id does.
 */
async function globalSeqOfCursor(
  on: Connection,
  id: string,
  { hubIds, direction }: { hubIds: readonly string[]; direction: Direction },
): Promise<number> {
  const item = await on.first(positionOf, { id });
  if (item && hubIds.includes(item.hubId)) return item.globalSeq;
  // Ids of all kinds rise with time and can be compared with each other, without their prefixes.
  const behind = (await on.first(firstBehind, { time: idTime(id), rest: id.slice(id.indexOf('_') + 1) })) ?? 0;
  return direction === 'older' ? behind : behind - 1;
}
