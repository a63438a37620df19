import type { Hub, Item, StreamPage, WireKind } from '@hub/contract';
import { MAX_PAGE_ITEMS } from '@hub/contract/common-limits';
import type { Cli } from '../../runtime/cli.ts';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';
import type { TailOptions } from './options.ts';
import type { Printer } from './printers.ts';

/** The position from which to follow a Hub. */
export interface Start {
  after: number;
  epoch?: string | undefined;
  /** The list cursor after which every item is new. */
  cursor: string;
}

interface Earlier {
  cli: Cli;
  printer: Printer;
  listed: ListedItems;
  hubs: readonly Hub[];
  isAll: boolean;
  options: TailOptions;
  /** Returns whether printing has ended. */
  hasEnded: () => boolean;
}

/** Prints earlier items, and returns the position from which to follow each Hub without gaps or duplicates. */
export async function printEarlier(earlier: Earlier): Promise<Map<string, Start>> {
  const { cli, hubs, options } = earlier;
  const { since, limit } = options;
  if (since?.kind === 'event') return startsAt(hubs, since.seq);
  // JSON output has the events themselves instead of items. If the server no longer has them all, it sends a reset.
  if (since?.kind === 'all' && limit === undefined && cli.json) return startsAt(hubs, 0);
  const from = since?.kind === 'time' ? since.at : 0;
  return limit === undefined ? printAllFrom(earlier, from) : printNewest(earlier, limit, from);
}

function startsAt(hubs: readonly Hub[], seq: number): Map<string, Start> {
  return new Map(hubs.map(({ id }) => [id, { after: seq, cursor: BEFORE_ALL }]));
}

async function printNewest(earlier: Earlier, limit: number, from: number): Promise<Map<string, Start>> {
  const present = await newestItems(earlier.cli.api, scopeOf(earlier), { limit, from });
  for (const item of present.items) earlier.listed.add(item);
  await printItems(earlier, present.items);
  return startsAfter(earlier, present);
}

async function printAllFrom(earlier: Earlier, from: number): Promise<Map<string, Start>> {
  const span = await itemsAfter(earlier.cli.api, scopeOf(earlier), from === 0 ? BEFORE_ALL : cursorBefore(from));
  await printItems(earlier, span.items);
  return startsAfter(earlier, span);
}

async function printItems(
  { printer, listed, hubs, hasEnded }: Earlier,
  items: Iterable<Item> | AsyncIterable<Item>,
): Promise<void> {
  const named = new Map(hubs.map((hub) => [hub.id, hub]));
  for await (const item of items) {
    if (hasEnded()) return;
    // A Hub created since the list was read is followed from its beginning.
    const hub = named.get(item.hubId);
    if (!hub) continue;
    await printer.item(hub, item);
    listed.add(item);
  }
}

function scopeOf({ hubs, isAll, options }: Earlier) {
  return { hubIds: isAll ? undefined : hubs.map(({ id }) => id), kinds: options.kinds };
}

function startsAfter({ hubs }: Earlier, { seqs, epoch, newestId }: ListPosition): Map<string, Start> {
  const starts = new Map<string, Start>();
  for (const { id } of hubs) {
    const after = seqs.get(id);
    if (after !== undefined) starts.set(id, { after, epoch, cursor: newestId ?? BEFORE_ALL });
  }
  return starts;
}

/**
 * How far items may be out of order. Reading ends at the newest item of a list or, since that item may get deleted,
 * this long after its time.
 */
const DISORDER_MS = 5_000;

/** The position up to which the lists of the Hubs were read. */
interface ListPosition {
  /** For each Hub, the event to resume from without a gap. */
  seqs: Map<string, number>;
  epoch: string | undefined;
  /** The newest item; undefined if there is none. */
  newestId: string | undefined;
}

interface ListOptions {
  /** `undefined`: all Hubs that you can read. */
  hubIds: readonly string[] | undefined;
  kinds?: ReadonlySet<WireKind> | undefined;
}

/** Returns the newest items, at most `limit` and none older than `from` (milliseconds since 1970), oldest first. */
async function newestItems(
  api: WorkspaceApi,
  { hubIds, kinds }: ListOptions,
  { limit, from }: { limit: number; from: number },
): Promise<ListPosition & { items: Item[] }> {
  const items: Item[] = [];
  const position = emptyPosition();
  for (const hubId of hubIds ?? [undefined]) {
    for (const kind of kinds ?? [undefined]) {
      for await (const page of pagesBack(api, { hubId, kind }, limit)) {
        advance(position, page);
        const wanted = page.items.filter((item) => Date.parse(item.createdAt) >= from);
        items.push(...wanted);
        if (wanted.length < page.items.length) break;
      }
    }
  }
  return { ...position, items: limit === 0 ? [] : items.sort(byAge).slice(-limit) };
}

/** Yields pages, newest first, until they contain `count` items in total. Yields at least one page. */
async function* pagesBack(api: WorkspaceApi, list: PageQuery, count: number): AsyncGenerator<StreamPage> {
  let left = Math.max(1, count);
  let before: string | undefined;
  do {
    const page: StreamPage = await readPage(api, { ...list, before }, Math.min(MAX_PAGE_ITEMS, left));
    yield page;
    left -= page.items.length;
    before = page.next ?? undefined;
  } while (before !== undefined && left > 0);
}

/**
 * Returns the items after a cursor, oldest first, up to the newest item at the time of the call. Later items arrive as
 * events. The items can be read slowly, since at most one page per Hub is in memory.
 */
export async function itemsAfter(
  api: WorkspaceApi,
  { hubIds, kinds }: ListOptions,
  cursor: string,
): Promise<ListPosition & { items: AsyncIterable<Item> }> {
  const lists: AsyncIterator<Item>[] = [];
  const position = emptyPosition();
  for (const hubId of hubIds ?? [undefined]) {
    const page = await readPage(api, { hubId }, 1);
    advance(position, page);
    const [newest] = page.items;
    if (newest) lists.push(listUpTo(api, { hubId, cursor, newest }));
  }
  return { ...position, items: matching(merged(lists), kinds) };
}

function emptyPosition(): ListPosition {
  return { seqs: new Map(), epoch: undefined, newestId: undefined };
}

/** Updates the position from a page. Keeps the earliest event number, so that all changes since then come as events. */
function advance(position: ListPosition, { items: [newest], seqs, epoch }: StreamPage): void {
  for (const [id, seq] of Object.entries(seqs)) position.seqs.set(id, Math.min(seq, position.seqs.get(id) ?? seq));
  position.epoch ??= epoch;
  if (newest && (position.newestId === undefined || byAge({ id: position.newestId }, newest) < 0)) {
    position.newestId = newest.id;
  }
}

async function* listUpTo(
  api: WorkspaceApi,
  { hubId, cursor, newest }: { hubId: string | undefined; cursor: string; newest: Item },
): AsyncGenerator<Item> {
  const end = Date.parse(newest.createdAt) + DISORDER_MS;
  let after: string | undefined = cursor;
  while (after !== undefined) {
    const page: StreamPage = await readPage(api, { hubId, after }, MAX_PAGE_ITEMS);
    for (const item of page.items.toReversed()) {
      if (Date.parse(item.createdAt) > end) return;
      yield item;
      if (item.id === newest.id) return;
    }
    after = page.next ?? undefined;
  }
}

/** Merges several lists, each oldest first. */
async function* merged(lists: readonly AsyncIterator<Item>[]): AsyncGenerator<Item> {
  const heads: { item: Item; list: AsyncIterator<Item> }[] = [];
  const take = async (list: AsyncIterator<Item>) => {
    const next = await list.next();
    if (!next.done) heads.push({ item: next.value, list });
  };
  for (const list of lists) await take(list);
  while (heads.length > 0) {
    heads.sort((one, other) => byAge(one.item, other.item));
    const first = heads.shift();
    if (!first) return;
    yield first.item;
    await take(first.list);
  }
}

async function* matching(items: AsyncIterable<Item>, kinds: ReadonlySet<WireKind> | undefined): AsyncGenerator<Item> {
  for await (const item of items) if (kinds?.has(item.kind) ?? true) yield item;
}

interface PageQuery {
  hubId?: string | undefined;
  kind?: WireKind | undefined;
  before?: string | undefined;
  after?: string | undefined;
}

function readPage(api: WorkspaceApi, query: PageQuery, limit: number): Promise<StreamPage> {
  return api.request('GET /stream', { query: { ...query, limit } });
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

/**
 * Returns a list cursor for `after` that precedes all items accepted at or after a time. Lists accept any well-formed
 * ID, even if no item has it. An ID is a prefix and a ULID (github.com/ulid/spec).
 */
export function cursorBefore(timeMs: number): string {
  const digits = [...Math.max(0, timeMs).toString(32)].map((digit) => CROCKFORD.charAt(Number.parseInt(digit, 32)));
  return `msg_${digits.join('').padStart(TIME_CHARACTERS, '0')}${'0'.repeat(RANDOM_CHARACTERS)}`;
}

/** The cursor before all items. */
export const BEFORE_ALL = cursorBefore(0);

/** Compares items by the order in which the server created them. */
function byAge(one: { id: string }, other: { id: string }): number {
  const [a, b] = [ulidOf(one.id), ulidOf(other.id)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

const MAX = 10_000;

/** The items shown from a list, so that their `created` events are not shown again. */
export class ListedItems {
  readonly #ids = new Set<string>();

  add({ id }: { id: string }): void {
    this.#ids.add(id);
    if (this.#ids.size <= MAX) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }
}
