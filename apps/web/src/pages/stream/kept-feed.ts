import type { Item } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import type { ItemList } from '../../data/items/item-list.ts';
import type { Workspace } from '../../data/live/workspace.ts';
import type { Anchor } from '../hub/feed-scroll.ts';

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
  /** The ids of the items that were in view for long enough. */
  readonly seen: Set<string>;
  /** The ids of read items that are still shown as new until the user looks away. */
  readonly held: Signal<ReadonlySet<string>>;
}

const AT_TOP = { scrollTop: 0, newestAtTop: undefined, anchor: null };

/** The last feed of each workspace, restored when the user returns from one of its items. */
const kept = new WeakMap<Workspace, KeptFeed>();

interface TakeFeed {
  name: string;
  locationKey: string;
  /** Whether to restore it only when the user goes back: its content depends on when it was opened. */
  isForBackOnly: boolean;
  /** `known`: the items of the previous feed, so that a filter shows results immediately. */
  make: (known: readonly Item[]) => MadeFeed;
}

type MadeFeed = Pick<KeptFeed, 'list' | 'isNew' | 'holdsAllNew'> & Partial<Pick<KeptFeed, 'stop'>>;

/** Returns the last feed if it has this name, or a new one. */
export function takeFeed(workspace: Workspace, { name, locationKey, isForBackOnly, make }: TakeFeed): KeptFeed {
  const known = kept.get(workspace);
  const isBack = known?.locationKey === locationKey;
  if (known?.name === name && (isBack || (!isForBackOnly && known.list.items.peek().length < MAX_KEPT))) {
    if (!isBack) Object.assign(known, AT_TOP);
    known.locationKey = locationKey;
    if (known.list.state.peek().status === 'failed') void known.list.reload();
    return known;
  }
  known?.stop();
  known?.list.dispose();
  const made = make(known?.list.items.peek() ?? []);
  const feed = { stop: () => {}, ...made, name, locationKey, ...AT_TOP, seen: new Set<string>(), held: noneHeld() };
  kept.set(workspace, feed);
  return feed;
}

function noneHeld(): KeptFeed['held'] {
  return signal(new Set());
}
