import type { Item, StreamPage } from '@hub/contract';
import { effect, type Signal, signal } from '@preact/signals';
import { byCreation } from '../../data/items/item.ts';
import { ItemList, type Page } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { route } from '../../lib/router/location.ts';
import { filterQuery, passes, type StreamFilter, streamFilters } from './stream-filter.ts';

/** In items. A longer feed is loaded from the start instead of being restored. */
const MAX_KEPT = 2_000;

export interface KeptFeed {
  /** Identifies the page and its filter. */
  readonly name: string;
  readonly list: ItemList;
  readonly isNew: (item: Item) => boolean;
  /** Stops the effects that keep the list up to date. */
  readonly stop: () => void;
  /** The history entry in which the feed was shown, to restore it there. */
  locationKey: string;
  /** The newest item when the reader was last at the top. */
  newestAtTop: string | undefined;
  /** The row that had the focus when the feed was left. */
  focused: string | null;
  /** The ids of the items that were in view for long enough. */
  readonly seen: Set<string>;
  /** The ids of read items that are still shown as new until the user looks away. */
  readonly held: Signal<ReadonlySet<string>>;
}

const AT_TOP = { newestAtTop: undefined, focused: null };
/** The Stream, what it was before a filter, and the mentions. */
const MAX_FEEDS = 3;

/** The last feeds of each workspace, the latest first, restored when the user returns to them. */
const feedsOf = new WeakMap<Workspace, readonly KeptFeed[]>();

interface TakeFeed {
  name: string;
  locationKey: string;
  /** Whether to restore it only when the user goes back: its content depends on when it was opened. */
  isForBackOnly: boolean;
  /** `known`: the items of the previous feed, so that a filter shows results immediately. */
  make: (initialItems: readonly Item[]) => MadeFeed;
}

type MadeFeed = Pick<KeptFeed, 'list' | 'isNew'> & Partial<Pick<KeptFeed, 'stop'>>;

/** Returns the feed of this history entry, or another one of this name, or a new one. */
export function takeFeed(workspace: Workspace, { name, locationKey, isForBackOnly, make }: TakeFeed): KeptFeed {
  const feeds = feedsOf.get(workspace) ?? [];
  const ofName = feeds.filter((feed) => feed.name === name);
  const back = ofName.find((feed) => feed.locationKey === locationKey);
  const former = back ?? ofName.find(({ list }) => !isForBackOnly && list.items.peek().length < MAX_KEPT);
  if (former) {
    if (!back) Object.assign(former, AT_TOP);
    if (former.list.state.peek().status === 'failed') void former.list.reload();
  }
  const feed = former ?? newFeed(name, make(feeds[0]?.list.items.peek() ?? []));
  feed.locationKey = locationKey;
  const all = [feed, ...feeds.filter((other) => other !== feed)];
  feedsOf.set(workspace, all.slice(0, MAX_FEEDS));
  for (const { stop, list } of all.slice(MAX_FEEDS)) {
    stop();
    list.dispose();
  }
  return feed;
}

function newFeed(name: string, base: MadeFeed): KeptFeed {
  return { stop: () => {}, ...base, name, locationKey: '', ...AT_TOP, seen: new Set(), held: signal(new Set()) };
}

export const STREAM_PAGE = 50;

/** Returns the feed of the Stream at the current URL, or with another filter, in the state the user left it in. */
export function streamFeed(workspace: Workspace, filter = streamFilters.read(route.peek().query)): KeptFeed {
  const { hubs } = workspace;
  const { key } = route.peek();
  return takeFeed(workspace, {
    name: `stream ${JSON.stringify(filter)}`,
    locationKey: key,
    isForBackOnly: filter.isUnread,
    make: (initialItems) => ({
      ...streamOf(workspace, filter, initialItems),
      isNew: (item) => hubs.isUnread(item) || hubs.mentions.has(item.id),
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

export async function pageOf(response: Promise<StreamPage>): Promise<Page> {
  const { items, next, seqs } = await response;
  return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
}
