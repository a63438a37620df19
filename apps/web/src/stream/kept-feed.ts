import type { Item } from '@hub/contract';
import { type Signal, signal } from '@preact/signals';
import type { ItemList } from '../items/item-list.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A feed that has grown longer begins anew. */
const MAX_KEPT = 2_000;

export interface KeptFeed {
  /** What it is a feed of. */
  readonly name: string;
  readonly list: ItemList;
  /** Whether an item of it is new to its reader. */
  readonly isNew: (item: Item) => boolean;
  /** Whether all that is new is among these items, which are those that are loaded. */
  readonly holdsAllNew: (items: readonly Item[]) => boolean;
  /** Ends what keeps the list up to date beside the items. */
  readonly stop: () => void;
  /** Where its reader was, and in which entry of the history. */
  placeKey: string;
  scrollTop: number;
  /** The ids of what was in sight for long enough. */
  readonly seen: Set<string>;
  /** Of what has been read and is shown as new until its reader looks away. */
  readonly held: Signal<ReadonlySet<string>>;
}

/** The last feed of each workspace: whoever comes back from one of its items finds it as it was. */
const kept = new WeakMap<Workspace, KeptFeed>();

interface TakeFeed {
  name: string;
  placeKey: string;
  /** Only for who goes back to it: what it shows depends on when it was opened. */
  isForBackOnly: boolean;
  /** `known`: what the feed before it has shown, so that a filter does its work at once. */
  make: (known: readonly Item[]) => MadeFeed;
}

type MadeFeed = Pick<KeptFeed, 'list' | 'isNew' | 'holdsAllNew'> & Partial<Pick<KeptFeed, 'stop'>>;

/** The feed that was left under this name, or a new one. */
export function takeFeed(workspace: Workspace, { name, placeKey, isForBackOnly, make }: TakeFeed): KeptFeed {
  const known = kept.get(workspace);
  const isBack = known?.placeKey === placeKey;
  if (known?.name === name && (isBack || (!isForBackOnly && known.list.items.peek().length < MAX_KEPT))) {
    if (!isBack) known.scrollTop = 0;
    known.placeKey = placeKey;
    if (known.list.state.peek().status === 'failed') void known.list.reload();
    return known;
  }
  known?.stop();
  known?.list.dispose();
  const made = make(known?.list.items.peek() ?? []);
  const feed = { stop: () => {}, ...made, name, placeKey, scrollTop: 0, seen: new Set<string>(), held: noneHeld() };
  kept.set(workspace, feed);
  return feed;
}

function noneHeld(): KeptFeed['held'] {
  return signal(new Set());
}
