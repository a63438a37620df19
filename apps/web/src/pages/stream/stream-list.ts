import type { Item, StreamPage, WireKind } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import { effect } from '@preact/signals';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { byCreation } from '../../data/items/item.ts';
import { ItemList, type Page } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { route } from '../../lib/router/location.ts';
import { type KeptFeed, takeFeed } from './kept-feed.ts';
import { filterQuery, passes, readFilter, type StreamFilter } from './stream-filter.ts';

export const STREAM_PAGE = 50;

/** Returns the feed of the Stream at the current URL, in the state the user left it in. */
export function streamFeed(workspace: Workspace): KeptFeed {
  const { hubs } = workspace;
  const { query, key } = route.peek();
  const filter = readFilter(query);
  return takeFeed(workspace, {
    name: `stream ${JSON.stringify(filter)}`,
    locationKey: key,
    isForBackOnly: filter.isUnread,
    make: (initialItems) => ({
      ...streamOf(workspace, filter, initialItems),
      isNew: (item) => hubs.isUnread(item) || hubs.mentions.has(item.id),
      holdsAllNew: (items) => holdsAllUnread(hubs, filter, items),
    }),
  });
}

/** Returns the items of all the user's Hubs that pass the filter, and what stops them. */
function streamOf({ items, hubs }: Workspace, filter: StreamFilter, initialItems: readonly Item[]) {
  /** Items that are read from now on, while the unread filter is on, stay in the list. */
  const heldIds = new Set<string>();
  const isNew = (item: Item) => {
    const { id } = item;
    if (!hubs.isLoaded.peek() || hubs.isUnread(item) || hubs.mentions.has(id)) heldIds.add(id);
    return heldIds.has(id);
  };
  const list = new ItemList(items, {
    initialItems,
    holds: (item) => passes(item, filter, isNew),
    order: byCreation,
    load: (before) => pageOf(request('GET /stream', { query: { ...filterQuery(filter), before, limit: STREAM_PAGE } })),
  });
  const stop = effect(() => {
    for (const id of hubs.mentions.ids.value) {
      // The event for a reply comes before the one that counts it as addressed to the user.
      const item = filter.isUnread && !heldIds.has(id) && items.get(id).peek();
      if (item) list.take(item);
    }
  });
  return { list, stop };
}

/**
 * Whether these items include everything unread that passes the filter. The server does not count per key: with a
 * filter for a key, false may only mean that the remaining unread items belong to other keys.
 */
function holdsAllUnread(hubs: Hubs, { hubId, kind }: StreamFilter, items: readonly Item[]): boolean {
  const ids = new Set(items.map(({ id }) => id));
  const counts = new Map<string, number>();
  for (const item of items) {
    const of = `${item.hubId} ${item.kind}`;
    if (hubs.isUnread(item)) counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return hubs.mine.value
    .filter(({ id }) => hubId === null || id === hubId)
    .every(({ id, unreadCounts, unreadMentionIds }) => {
      const areHeld = (each: WireKind) => {
        const count = unreadCounts?.[each] ?? 0;
        return count < MAX_UNREAD_COUNT && count <= (counts.get(`${id} ${each}`) ?? 0);
      };
      const kinds = kind === null ? ITEM_KINDS : [kind];
      return kinds.every(areHeld) && (unreadMentionIds ?? []).every((mention) => ids.has(mention));
    });
}

export async function pageOf(response: Promise<StreamPage>): Promise<Page> {
  const { items, next, seqs } = await response;
  return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
}
