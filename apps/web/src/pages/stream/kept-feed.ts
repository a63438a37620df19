import type { Item } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import type { ItemList } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import type { CollapsedItems } from '../../lib/repeats.ts';
import { dayKey } from '../../lib/time/day-key.ts';
import { withCollapsedRepeats } from '../../ui/items/repeats.tsx';
import type { Anchor } from '../hub/feed-scroll.ts';
import { type FeedRow, feedRows } from './feed-rows.ts';

/** In items. A longer feed is loaded from the start instead of being restored. */
const MAX_KEPT = 2_000;

export interface KeptFeed {
  /** Identifies the page and its filter. */
  readonly name: string;
  readonly list: ItemList;
  /** Whether an item is new to the user. */
  readonly isNew: (item: Item) => boolean;
  /** Whether the loaded items include everything new. */
  readonly holdsAllNew: (items: readonly Item[]) => boolean;
  /** Stops the effects that keep the list up to date. */
  readonly stop: () => void;
  /** The history entry in which the feed was shown, to restore the scroll position there. */
  locationKey: string;
  scrollTop: number;
  /** The newest item when the reader was last at the top. */
  newestAtTop: string | undefined;
  /** The top item in view when the feed was left. Others may arrive above it until the user returns. */
  anchor: Anchor | null;
  /** The row that had the focus when the feed was left. */
  focused: string | null;
  /** The messages that have no row of their own, by the row that stands for them. */
  repeats: CollapsedItems['repeats'];
  /** The ids of the items that were in view for long enough. */
  readonly seen: Set<string>;
  /** The ids of read items that are still shown as new until the user looks away. */
  readonly held: Signal<ReadonlySet<string>>;
}

const AT_TOP = { scrollTop: 0, newestAtTop: undefined, anchor: null, focused: null };
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

type MadeFeed = Pick<KeptFeed, 'list' | 'isNew' | 'holdsAllNew'> & Partial<Pick<KeptFeed, 'stop'>>;

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
  return {
    stop: () => {},
    ...base,
    name,
    locationKey: '',
    ...AT_TOP,
    repeats: new Map(),
    seen: new Set(),
    held: signal(new Set()),
  };
}

interface RowsInput {
  items: readonly Item[];
  isWhole: boolean;
  isFresh: (item: Item) => boolean;
}

/** Returns the rows of a feed. Reads signals that change when an item is added or removed, or a Hub is read. */
export function rowsOfFeed(feed: KeptFeed, { items, isWhole, isFresh }: RowsInput): FeedRow[] {
  const { list, holdsAllNew } = feed;
  const isRestRead = () => !list.hasOlder.value || holdsAllNew(list.items.value);
  const collapsed = withCollapsedRepeats(items, (before, item) => isWhole || isFresh(before) !== isFresh(item));
  feed.repeats = collapsed.repeats;
  return feedRows({ ...collapsed, isFresh, isRestRead, dayOf: dayKey });
}
