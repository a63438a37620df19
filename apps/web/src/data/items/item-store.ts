import type { ErasedItem, EventFrame, Item, UserRef } from '@hub/contract';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isItemEvent, renamed } from './item.ts';

/** The event number of an item about which nothing valid is known. */
const NOTHING = -1;

type Change = (item: Item) => Item;

interface Entry {
  /** `undefined` if the item is not loaded or was deleted. */
  readonly item: Signal<Item | undefined>;
  /** The user's own changes that the server has not confirmed. */
  readonly pending: Signal<readonly Change[]>;
  /** The item with these changes. */
  readonly shown: ReadonlySignal<Item | undefined>;
  /** Resolves when the last of these changes has been sent: a second one is sent after the first, so that it wins. */
  lastSent: Promise<unknown>;
  /** `undefined` until known. */
  hubId: string | undefined;
  /** The latest event of its Hub that this entry reflects, including a deletion. */
  asOf: number;
  /** How many events had been applied in total when the last one for this item was applied. */
  receivedAt: number;
}

/** A list that is informed of what happens to items. */
interface WatchingList {
  /** `undefined`: the list has items of several Hubs. */
  readonly hubId: string | undefined;
  /** Adds the item, moves it or removes it, depending on whether it belongs to the list now. */
  take(item: Item): void;
  drop(ids: ReadonlySet<string>): void;
  /** Loads again if the list does not reflect this event yet. */
  reachTo(hubId: string, seq: number): void;
  /** Resolves with whether that succeeded. */
  reload(): Promise<boolean>;
}

/**
 * All items from lists and events, each stored once, whichever lists show it. Lists and events arrive in any order: for
 * each item, the state that reflects the later event of its Hub wins, so a list that was requested before an event and
 * arrives after it does not revert it.
 */
export class ItemStore {
  readonly #entries = new Map<string, Entry>();
  /** For each Hub: items older than `before` were removed by the event `asOf`. */
  readonly #pruned = new Map<string, { before: string; asOf: number }>();
  /** Dropped Hubs, unless the user has joined them again: responses requested before do not bring their items back. */
  readonly #forgotten = new Set<string>();
  readonly #lists = new Set<WatchingList>();
  #received = 0;

  /** Returns the current state of an item as a signal, which changes when the item is added, changed or removed. */
  get(id: string): ReadonlySignal<Item | undefined> {
    return this.#entry(id).shown;
  }

  /** Returns the latest event of its Hub that the state of an item reflects; −1 if unknown. */
  asOf(id: string): number {
    return this.#entries.get(id)?.asOf ?? NOTHING;
  }

  /** Whether the item is known to be deleted, so that it need not be requested. */
  isGone(id: string): boolean {
    return this.asOf(id) !== NOTHING && this.#entry(id).item.peek() === undefined;
  }

  isChanging(id: string): boolean {
    return this.#entry(id).pending.peek().length > 0;
  }

  /** Notifies this list of every change from now on. Returns a function that stops this. */
  watch(list: WatchingList): () => void {
    this.#lists.add(list);
    return () => this.#lists.delete(list);
  }

  /** Stores items from a list or another response, and returns those that still exist. */
  take(items: readonly Item[], asOf: (hubId: string) => number): Item[] {
    return items.map((item) => this.#put(item, asOf(item.hubId))).filter((item) => item !== undefined);
  }

  /** Applies an event and updates every list that it affects. */
  apply(event: EventFrame): void {
    batch(() => {
      if (event.event === 'items.pruned') this.#prune(event.hubId, event.data.before, event.seq);
      if (!isItemEvent(event)) return;
      const { data, seq } = event;
      this.#received += 1;
      this.#entry(data.id).receivedAt = this.#received;
      if (isVisible(data)) this.#show(data, seq);
      else this.#remove(data, seq);
    });
  }

  /**
   * Applies the response to the user's own change immediately; the event for it arrives later. Where others may
   * have changed the item in the meantime, use `applyResponseOf`, which can tell which is newer.
   */
  applyResponse(item: Item): void {
    const { item: present, asOf } = this.#entry(item.id);
    // The response to an earlier change can arrive after the event for the deletion.
    if (this.isGone(item.id)) return;
    if ((present.peek()?.version ?? 0) > item.version) return;
    // The response does not name the event it reflects, but that event cannot be older than the item's creation or the
    // known state.
    const newest = Math.max(item.seq, asOf);
    batch(() => (isVisible(item) ? this.#show(item, newest) : this.#remove(item, newest)));
  }

  /** Requests an item or a change to it, and applies the response unless an event for it arrived meanwhile. */
  async applyResponseOf<ResponseItem extends Item>(ask: () => Promise<ResponseItem>): Promise<ResponseItem> {
    const before = this.#received;
    const item = await ask();
    if (this.#entry(item.id).receivedAt <= before) this.applyResponse(item);
    return item;
  }

  /**
   * Shows a change by the user at once, sends it, and takes it back if that fails.
   * @throws what `send` throws.
   */
  async change<Kind extends Item>(id: string, change: (item: Kind) => Kind, send: () => Promise<Kind>): Promise<void> {
    const entry = this.#entry(id);
    const pending: Change = (item) => change(item as Kind);
    entry.pending.value = [...entry.pending.peek(), pending];
    const sent = entry.lastSent.then(() => this.applyResponseOf(send));
    entry.lastSent = sent.catch(() => {});
    try {
      await sent;
    } finally {
      entry.pending.value = entry.pending.peek().filter((other) => other !== pending);
    }
  }

  /** Applies every event of the Hub after `seq` from now on. Lists that lack earlier ones are reloaded. */
  followFrom(hubId: string, seq: number): void {
    for (const list of this.#listsOf([hubId])) list.reachTo(hubId, seq);
  }

  /**
   * Discards everything known about these Hubs. Resolves when all of their lists are reloaded.
   * @throws Error if a list cannot be reloaded; it keeps showing the previous items.
   */
  async resetHubs(hubIds: readonly string[]): Promise<void> {
    const isOfThem = (hubId: string | undefined) => hubId !== undefined && hubIds.includes(hubId);
    for (const id of hubIds) {
      this.#pruned.delete(id);
      this.#forgotten.delete(id);
    }
    for (const entry of this.#entries.values()) {
      if (isOfThem(entry.hubId)) entry.asOf = NOTHING;
    }
    const loaded = await Promise.all(this.#listsOf(hubIds).map((list) => list.reload()));
    if (loaded.includes(false)) throw new Error(`Failed to reload the lists of ${hubIds.join(', ')}.`);
    this.#drop((item, asOf) => isOfThem(item.hubId) && asOf === NOTHING);
  }

  rename(user: UserRef): void {
    batch(() => {
      for (const { item } of this.#entries.values()) {
        const present = item.peek();
        if (present) item.value = renamed(present, user);
      }
    });
  }

  /** Drops a Hub that was deleted or that the user has left. */
  forgetHub(hubId: string): void {
    this.#pruned.delete(hubId);
    this.#forgotten.add(hubId);
    this.#drop((item) => item.hubId === hubId);
  }

  #listsOf(hubIds: readonly string[]): WatchingList[] {
    return [...this.#lists].filter(({ hubId }) => hubId === undefined || hubIds.includes(hubId));
  }

  #entry(id: string): Entry {
    const present = this.#entries.get(id);
    if (present) return present;
    const item = signal<Item | undefined>(undefined);
    const pending = signal<readonly Change[]>([]);
    const shown = computed(() => item.value && pending.value.reduce((changed, change) => change(changed), item.value));
    const lastSent = Promise.resolve();
    const entry: Entry = { item, pending, shown, lastSent, hubId: undefined, asOf: NOTHING, receivedAt: 0 };
    this.#entries.set(id, entry);
    return entry;
  }

  #show(item: Item, asOf: number): void {
    const stored = this.#put(item, asOf);
    if (stored) for (const list of this.#lists) list.take(stored);
  }

  #put(item: Item, asOf: number): Item | undefined {
    if (this.#forgotten.has(item.hubId)) return undefined;
    const entry = this.#entry(item.id);
    const pruned = this.#pruned.get(item.hubId);
    if (pruned && item.createdAt < pruned.before && asOf < pruned.asOf) return undefined;
    // A page can lack the user's own change until the event for it has arrived, and must not undo it.
    const isOlder = entry.asOf !== NOTHING && (entry.item.peek()?.version ?? 0) > item.version;
    if (entry.asOf <= asOf && !isOlder) {
      entry.asOf = asOf;
      entry.hubId = item.hubId;
      entry.item.value = item;
    }
    return entry.item.peek();
  }

  #remove({ id, hubId }: Item | ErasedItem, asOf: number): void {
    const entry = this.#entry(id);
    if (entry.asOf > asOf) return;
    entry.asOf = asOf;
    entry.hubId = hubId;
    entry.item.value = undefined;
    for (const list of this.#lists) list.drop(new Set([id]));
  }

  #prune(hubId: string, before: string, asOf: number): void {
    const latest = this.#pruned.get(hubId);
    if (!latest || latest.before < before) this.#pruned.set(hubId, { before, asOf });
    this.#drop((item) => item.hubId === hubId && item.createdAt < before);
  }

  /** Removes items that have no deletion event of their own. */
  #drop(isGone: (item: Item, asOf: number) => boolean): void {
    const ids = new Set<string>();
    batch(() => {
      for (const [id, entry] of this.#entries) {
        const item = entry.item.peek();
        if (!item || !isGone(item, entry.asOf)) continue;
        ids.add(id);
        entry.item.value = undefined;
        entry.asOf = NOTHING;
      }
      if (ids.size > 0) for (const list of this.#lists) list.drop(ids);
    });
  }
}

/** Whether lists show the item: a deleted message stays as a placeholder while it has replies. */
function isVisible(data: Item | ErasedItem): data is Item {
  if (!('createdAt' in data)) return false;
  return data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0);
}
