import type { Item, StreamPage, WireKind } from '@hub/contract';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';
import { byAge } from './item-cursor.ts';

const PAGE_ITEMS = 100;

/**
 * How far items may be out of order. Reading ends at the newest item of a list or, since that item may get deleted,
 * this long after its time.
 */
const DISORDER_MS = 5_000;

/** The position up to which the lists of the Hubs were read. */
export interface ListPosition {
  /** For each Hub, the event to resume from without a gap. */
  seqs: Map<string, number>;
  epoch: string | undefined;
  /** The newest item; undefined if there is none. */
  newestId: string | undefined;
}

export interface ListOptions {
  /** `undefined`: all Hubs that you can read. */
  hubIds: readonly string[] | undefined;
  kinds?: ReadonlySet<WireKind> | undefined;
}

/** Returns the newest items, at most `limit` and none older than `from` (milliseconds since 1970), oldest first. */
export async function newestItems(
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
    const page: StreamPage = await readPage(api, { ...list, before }, Math.min(PAGE_ITEMS, left));
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
    const page: StreamPage = await readPage(api, { hubId, after }, PAGE_ITEMS);
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
  return api.get<StreamPage>('/stream', { ...query, limit: String(limit) });
}
