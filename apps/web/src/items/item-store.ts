import type { ErasedItem, EventFrame, Item, UserRef } from '@hub/contract';
import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isItemEvent } from './item-event.ts';
import type { ItemList } from './item-list.ts';
import { renamed } from './renamed.ts';

/** Nothing is known of it, or nothing that counts any more. */
const NOTHING = -1;

interface Entry {
  /** `undefined` if it is not there: not loaded, or gone. */
  readonly item: Signal<Item | undefined>;
  /** As far as it is known. */
  hubId: string | undefined;
  /** The event of its Hub that this reflects, also that it is gone. */
  asOf: number;
  /** Which of all events that were applied here told of it last. */
  receivedAt: number;
}

/**
 * Everything that was loaded or announced, each item once, whichever lists show it. Lists and events come in any order: of each
 * item what reflects the later event of its Hub stays, so that a list which was asked for before an event and arrives after it
 * takes nothing back.
 */
export class ItemStore {
  readonly #entries = new Map<string, Entry>();
  /** What is older than `before` is gone from a Hub since this event. */
  readonly #pruned = new Map<string, { before: string; asOf: number }>();
  readonly #lists = new Set<ItemList>();
  #received = 0;

  /** An item as it is now; whoever reads the signal is drawn again when it changes, comes or goes. */
  get(id: string): ReadonlySignal<Item | undefined> {
    return this.#entry(id).item;
  }

  /** The event of its Hub that the present state of an item reflects; −1 if that is not known. */
  asOf(id: string): number {
    return this.#entries.get(id)?.asOf ?? NOTHING;
  }

  /** Whether it was told that it is there no more: then nobody need ask for it. */
  isGone(id: string): boolean {
    return this.asOf(id) !== NOTHING && this.get(id).peek() === undefined;
  }

  /** From now on this list is told of every change. The result ends that. */
  watch(list: ItemList): () => void {
    this.#lists.add(list);
    return () => this.#lists.delete(list);
  }

  /** Takes what a list or an answer of the server shows, and returns what of it is there. */
  take(items: readonly Item[], asOf: (hubId: string) => number): Item[] {
    return items.map((item) => this.#put(item, asOf(item.hubId))).filter((item) => item !== undefined);
  }

  /** Takes an event, and shows it in every list that it belongs to. */
  apply(event: EventFrame): void {
    batch(() => {
      if (event.event === 'items.pruned') this.#prune(event.hubId, event.data.before, event.seq);
      if (!isItemEvent(event)) return;
      const { data, seq } = event;
      this.#received += 1;
      this.#entry(data.id).receivedAt = this.#received;
      if (isThere(data)) this.#show(data, seq);
      else this.#remove(data, seq);
    });
  }

  /**
   * What is answered to a change of one's own is shown at once; its event says the same once more. Where others may have
   * changed the same meanwhile, `answerTo` knows which is newer.
   */
  applyResponse(item: Item): void {
    const { item: known, asOf } = this.#entry(item.id);
    if ((known.peek()?.version ?? 0) > item.version) return;
    // The answer does not say which event it reflects: no older one than that of the item's making, or than what is known.
    const newest = Math.max(item.seq, asOf);
    batch(() => (isThere(item) ? this.#show(item, newest) : this.#remove(item, newest)));
  }

  /** Asks the server for an item or to change one, and takes what it answers unless an event has told of it meanwhile. */
  async applyResponseOf<ResponseItem extends Item>(ask: () => Promise<ResponseItem>): Promise<ResponseItem> {
    const before = this.#received;
    const item = await ask();
    if (this.#entry(item.id).receivedAt <= before) this.applyResponse(item);
    return item;
  }

  /**
   * From now on every event of the Hub after this one is applied here. Lists that were asked for before lack what came between:
   * they are loaded anew.
   */
  followFrom(hubId: string, seq: number): void {
    for (const list of this.#listsOf([hubId])) list.reachTo(hubId, seq);
  }

  /**
   * These Hubs begin anew: nothing that was known of them counts. Resolves when all of their lists were loaded again.
   * @throws Error if one of them could not be; what was shown stays until then.
   */
  async resetHubs(hubIds: readonly string[]): Promise<void> {
    const isOfThem = (hubId: string | undefined) => hubId !== undefined && hubIds.includes(hubId);
    for (const id of hubIds) this.#pruned.delete(id);
    for (const entry of this.#entries.values()) {
      if (isOfThem(entry.hubId)) entry.asOf = NOTHING;
    }
    const loaded = await Promise.all(this.#listsOf(hubIds).map((list) => list.reload()));
    if (loaded.includes(false)) throw new Error(`The lists of ${hubIds.join(', ')} could not be loaded anew.`);
    this.#drop((item, asOf) => isOfThem(item.hubId) && asOf === NOTHING);
  }

  /** Somebody has another name: it stands wherever he is named. */
  rename(user: UserRef): void {
    batch(() => {
      for (const { item } of this.#entries.values()) {
        const known = item.peek();
        if (known) item.value = renamed(known, user);
      }
    });
  }

  /** One belongs to it no longer, or it was deleted: nothing of it is to be seen any more. */
  forgetHub(hubId: string): void {
    this.#pruned.delete(hubId);
    this.#drop((item) => item.hubId === hubId);
  }

  #listsOf(hubIds: readonly string[]): ItemList[] {
    return [...this.#lists].filter(({ hubId }) => hubId === undefined || hubIds.includes(hubId));
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id);
    if (known) return known;
    const entry: Entry = { item: signal<Item | undefined>(undefined), hubId: undefined, asOf: NOTHING, receivedAt: 0 };
    this.#entries.set(id, entry);
    return entry;
  }

  #show(item: Item, asOf: number): void {
    const shown = this.#put(item, asOf);
    if (shown) for (const list of this.#lists) list.take(shown);
  }

  #put(item: Item, asOf: number): Item | undefined {
    const entry = this.#entry(item.id);
    const pruned = this.#pruned.get(item.hubId);
    if (pruned && item.createdAt < pruned.before && asOf < pruned.asOf) return undefined;
    if (entry.asOf <= asOf) {
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

  /** Takes away what is gone without an event of its own. */
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

/** Whether lists show it: a deleted message stays as a blank as long as it has replies. */
function isThere(data: Item | ErasedItem): data is Item {
  if (!('createdAt' in data)) return false;
  return data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0);
}
