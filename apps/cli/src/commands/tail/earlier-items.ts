import type { Item, StreamPage, WireKind } from '@hub/contract';
import type { WorkspaceApi } from '../../runtime/workspace-api.ts';
import { byAge } from './item-cursor.ts';

const PAGE_ITEMS = 100;

/** An item that was deleted meanwhile is no end to be met; within this span nothing is passed over for its time alone. */
const DISORDER_MS = 5_000;

/** How far the lists of some Hubs reach. */
export interface Place {
  /** For each Hub, the event from which on one has to listen to miss nothing. */
  seqs: Map<string, number>;
  epoch: string | undefined;
  /** The newest item of all; undefined if there is none. */
  newestId: string | undefined;
}

export interface ListOptions {
  /** `undefined`: all that one may read. */
  hubIds: readonly string[] | undefined;
  kinds?: ReadonlySet<WireKind> | undefined;
}

/** The newest items, at most `limit` and none older than `from` (milliseconds since 1970), the oldest of them first. */
export async function newestItems(
  api: WorkspaceApi,
  { hubIds, kinds }: ListOptions,
  { limit, from }: { limit: number; from: number },
): Promise<Place & { items: Item[] }> {
  const items: Item[] = [];
  const place = noPlace();
  for (const hubId of hubIds ?? [undefined]) {
    for (const kind of kinds ?? [undefined]) {
      for await (const page of pagesBack(api, { hubId, kind }, limit)) {
        note(place, page);
        const wanted = page.items.filter((item) => Date.parse(item.createdAt) >= from);
        items.push(...wanted);
        if (wanted.length < page.items.length) break;
      }
    }
  }
  return { ...place, items: limit === 0 ? [] : items.sort(byAge).slice(-limit) };
}

/** Page after page, until there were so many items; at least one. */
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
 * All items behind a cursor, the oldest first, up to the newest that there is now: what is posted later is left to the
 * events. They may be read slowly; no more than a page of each Hub is held.
 */
export async function itemsBehind(
  api: WorkspaceApi,
  { hubIds, kinds }: ListOptions,
  cursor: string,
): Promise<Place & { items: AsyncIterable<Item> }> {
  const lists: AsyncIterator<Item>[] = [];
  const place = noPlace();
  for (const hubId of hubIds ?? [undefined]) {
    const page = await readPage(api, { hubId }, 1);
    note(place, page);
    const [newest] = page.items;
    if (newest) lists.push(listUpTo(api, { hubId, cursor, newest }));
  }
  return { ...place, items: matching(merged(lists), kinds) };
}

function noPlace(): Place {
  return { seqs: new Map(), epoch: undefined, newestId: undefined };
}

/** Of several pages the earliest counts: what a later one does not show any more has to come as an event. */
function note(place: Place, { items: [newest], seqs, epoch }: StreamPage): void {
  for (const [id, seq] of Object.entries(seqs)) place.seqs.set(id, Math.min(seq, place.seqs.get(id) ?? seq));
  place.epoch ??= epoch;
  if (newest && (place.newestId === undefined || byAge({ id: place.newestId }, newest) < 0)) place.newestId = newest.id;
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

/** Several lists, each from the oldest on, as one. */
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
