import { eq, sql } from 'drizzle-orm';
import { cursorAtTime, idTime } from '../../core/ids.ts';
import { type ItemPage, type ItemRecord, type ItemRowKind, MAX_PAGE_BYTES } from '../item-store.ts';
import type { Connection } from './engine/database.ts';
import { build, rawStatement, statement } from './engine/statements.ts';
import { hubIdOfItem } from './hubs.ts';
import { hubs } from './tables/hubs.table.ts';
import { items } from './tables/items.table.ts';
import { workspace } from './tables/workspace.table.ts';

/** `older` reads down from the newest, `newer` up from the oldest. */
export type Direction = 'older' | 'newer';

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

/** A rank that is higher than every other. */
const AFTER_ALL_RANKS = Number.MAX_SAFE_INTEGER;

/**
 * How many rows one request examines for a filter. When the limit is reached, the page is short, and `next` continues
 * from there. So a filter with few matches costs its user a few more requests, but does not delay other users.
 */
const MAX_EXAMINED = 500;

export interface PageOfList {
  limit: number;
  /** The Hubs that the caller may read; rows of other Hubs are never revealed, not even in `next`. */
  hubIds: readonly string[];
  before?: string | undefined;
  after?: string | undefined;
  maxBytes?: number | undefined;
  /** If omitted, every row matches. */
  matches?: ((row: ListedRow) => boolean) | undefined;
  /** Whether a row that does not match may still be the end of a page. If omitted, every row may. */
  mayBeNamed?: ((row: ListedRow) => boolean) | undefined;
  /** Reads at most `limit` rows after the rank `from`. */
  read: (position: { direction: Direction; from: number; limit: number }) => Promise<ListedRow[]>;
}

const rowAt = statement(
  build
    .select({ id: items.id, createdAt: items.createdAt })
    .from(items)
    .where(eq(items.rank, sql.placeholder('rank'))),
);
const seqsOf = statement(
  build
    .select({ id: hubs.id, seq: hubs.seq })
    .from(hubs)
    .where(sql`${hubs.id} = any(${sql.placeholder('hubIds')}::text[])`),
);
const sizesOf = statement(
  build
    .select({
      rank: items.rank,
      bytes: sql`coalesce(octet_length(${items.body}), 0) + coalesce(octet_length(${items.blocks}), 0)
        + coalesce(octet_length(${items.title}), 0)`.mapWith(Number),
    })
    .from(items)
    .where(sql`${items.rank} = any(${sql.placeholder('ranks')}::bigint[])`),
);
const readEpoch = statement(build.select({ epoch: workspace.epoch }).from(workspace));

/** Reads a page of a list, and the cursor of the next page. `on` must be a snapshot. */
export async function readItemPage(
  on: Connection,
  query: PageOfList,
  records: (ranks: readonly number[]) => Promise<ItemRecord[]>,
): Promise<ItemPage> {
  const { ranks: found, next } = await readRanks(on, query);
  const ranks = await fitting(on, found, query.maxBytes ?? MAX_PAGE_BYTES);
  const last = ranks.at(-1);
  const isCut = ranks.length < found.length && last !== undefined;
  const seqs = await on.all(seqsOf, { hubIds: [...query.hubIds] });
  return {
    items: ranks.length === 0 ? [] : await records(ranks),
    next: isCut ? ((await on.first(rowAt, { rank: last }))?.id ?? next) : next,
    seqs: Object.fromEntries(seqs.map(({ id, seq }) => [id, seq])),
    epoch: (await on.first(readEpoch))?.epoch ?? '',
  };
}

/** Returns the ranks of the page in reading order. */
async function readRanks(on: Connection, query: PageOfList): Promise<{ ranks: number[]; next: string | null }> {
  const { hubIds, before, after } = query;
  const direction = after === undefined ? 'older' : 'newer';
  const cursor = after ?? before;
  const from = cursor === undefined ? AFTER_ALL_RANKS : await rankOfCursor(on, cursor, { hubIds, direction });
  for (let start = from; ; ) {
    const { ranks, next, isNamed } = await examine(query, { direction, from: start });
    if (next === null) return { ranks, next: null };
    const name = isNamed
      ? (await on.first(rowAt, { rank: next }))?.id
      : await timeCursor(on, next, { from, hubIds, direction });
    if (name) return { ranks, next: name };
    start = next;
  }
}

interface Examined {
  ranks: number[];
  /** The rank after which the next page begins; `null` at the end. */
  next: number | null;
  /** Whether `next` is the rank of a row that may be revealed. False only if none of the examined rows may. */
  isNamed: boolean;
}

async function examine(
  { limit, matches, mayBeNamed, read }: PageOfList,
  position: { direction: Direction; from: number },
): Promise<Examined> {
  const ranks: number[] = [];
  let named: number | null = null;
  const rows = await read({ ...position, limit: matches ? MAX_EXAMINED : limit + 1 });
  for (const row of rows) {
    if (!matches || matches(row)) {
      if (ranks.length === limit) return { ranks, next: named, isNamed: true };
      ranks.push(row.rank);
      named = row.rank;
    } else if (!mayBeNamed || mayBeNamed(row)) named = row.rank;
  }
  const last = rows.at(-1);
  if (!matches || !last || rows.length < MAX_EXAMINED) return { ranks, next: null, isNamed: true };
  return { ranks, next: named ?? last.rank, isNamed: named !== null };
}

/**
 * Returns a cursor that contains only a time, for when the last examined row must not be revealed. `null` if that
 * cursor would not lie between the start of the page and the next row to examine, for example because the rows are
 * from the same millisecond or a clock was set back.
 */
async function timeCursor(
  on: Connection,
  rank: number,
  { from, hubIds, direction }: { from: number; hubIds: readonly string[]; direction: Direction },
): Promise<string | null> {
  const time = (await on.first(rowAt, { rank }))?.createdAt ?? 0;
  const cursor = cursorAtTime(time, direction === 'older' ? 'after' : 'before');
  const reached = await rankOfCursor(on, cursor, { hubIds, direction });
  const isBetween = direction === 'older' ? rank <= reached && reached < from : from < reached && reached <= rank;
  return isBetween ? cursor : null;
}

/** Returns as many of these ranks, in reading order, as fit within the size limit. */
async function fitting(on: Connection, ranks: readonly number[], maxBytes: number): Promise<number[]> {
  if (ranks.length === 0) return [];
  const sizes = new Map((await on.all(sizesOf, { ranks: [...ranks] })).map(({ rank, bytes }) => [rank, bytes]));
  let bytes = 0;
  return ranks.filter((rank, index) => {
    bytes += sizes.get(rank) ?? 0;
    return index === 0 || bytes <= maxBytes;
  });
}

const findCursor = statement(
  build
    .select({ rank: items.rank, hubId: hubIdOfItem })
    .from(items)
    .where(eq(items.id, sql.placeholder('id'))),
);
/** A binary search, which works because ranks rise with time. Returns the first rank behind the cursor. */
const firstBehind = rawStatement(
  sql`with recursive search (low, high) as (
      select 0::bigint, (select coalesce(max(rank), 0) from items) + 1
      union all
      select case when found.is_behind is false then found.rank + 1 else search.low end,
        case when found.is_behind is false then search.high else (search.low + search.high) / 2 end
        from search left join lateral (
          select rank, case when created_at = ${sql.placeholder('time')}::bigint
              then substr(id, strpos(id, '_') + 1) > ${sql.placeholder('rest')}::text collate "C"
              else created_at > ${sql.placeholder('time')}::bigint end as is_behind
            from items where rank >= (search.low + search.high) / 2 order by rank limit 1) as found on true
        where search.low < search.high)
    select max(low) from search`,
  ([rank]: [string]) => Number(rank),
);

/**
 * Returns the position of an id in commit order. If no item in these Hubs has the id, for example after the item was
 * erased, the position is based on the time in the id and, within a millisecond, on the rest of the id. So the
 * position of an item in another Hub reveals no more than its id does.
 */
async function rankOfCursor(
  on: Connection,
  id: string,
  { hubIds, direction }: { hubIds: readonly string[]; direction: Direction },
): Promise<number> {
  const found = await on.first(findCursor, { id });
  if (found && hubIds.includes(found.hubId)) return found.rank;
  // Ids of all kinds rise with time and can be compared with each other, without their prefixes.
  const behind = (await on.first(firstBehind, { time: idTime(id), rest: id.slice(id.indexOf('_') + 1) })) ?? 0;
  return direction === 'older' ? behind : behind - 1;
}
