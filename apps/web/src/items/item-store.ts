import type { ErasedItem, EventFrame, Item } from '@hub/contract';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { ItemList } from './item-list.ts';

interface Entry {
  readonly item: Signal<Item>;
  /** The event of its Hub that it reflects. */
  asOf: number;
}

/**
 * Everything that was loaded or announced, each item once, whichever lists show it. Lists and events come in any order: of each
 * item what reflects the later event of its Hub stays, so that a list which was asked for before an event and arrives after it
 * takes nothing back.
 */
export class ItemStore {
  readonly #entries = new Map<string, Entry>();
  /** What is gone, and the event that says so. */
  readonly #gone = new Map<string, { hubId: string; asOf: number }>();
  readonly #lists = new Set<ItemList>();

  get(id: string): ReadonlySignal<Item> | undefined {
    return this.#entries.get(id)?.item;
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
    if (event.event === 'items.pruned') this.#prune(event.hubId, event.data.before);
    if (!isItemEvent(event)) return;
    const { data, seq } = event;
    if (isThere(data)) {
      const item = this.#put(data, seq);
      if (item) for (const list of this.#lists) list.take(item);
    } else {
      this.#remove(data, seq);
    }
  }

  /** What is answered to a change of one's own is shown at once; its event says the same once more. */
  takeAnswer(item: Item): void {
    const known = this.#entries.get(item.id);
    // The answer does not say which event it reflects: no older one than that of the item's making, or than what is known.
    const asOf = Math.max(item.seq, known?.asOf ?? 0);
    const taken = isThere(item) ? this.#put(item, asOf) : undefined;
    if (taken) for (const list of this.#lists) list.take(taken);
    else this.#remove(item, asOf);
  }

  /** The Hub begins anew: nothing that was known of it counts. Resolves when all lists were loaded again. */
  async resetHub(hubId: string): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.item.peek().hubId === hubId) entry.asOf = -1;
    for (const [id, gone] of this.#gone) if (gone.hubId === hubId) this.#gone.delete(id);
    await Promise.all([...this.#lists].map((list) => list.reload()));
  }

  #put(item: Item, asOf: number): Item | undefined {
    const gone = this.#gone.get(item.id);
    if (gone && gone.asOf > asOf) return undefined;
    this.#gone.delete(item.id);
    const known = this.#entries.get(item.id);
    if (!known) {
      this.#entries.set(item.id, { item: signal(item), asOf });
      return item;
    }
    if (known.asOf <= asOf) {
      known.asOf = asOf;
      known.item.value = item;
    }
    return known.item.peek();
  }

  #remove({ id, hubId }: Item | ErasedItem, asOf: number): void {
    this.#gone.set(id, { hubId, asOf });
    this.#entries.delete(id);
    for (const list of this.#lists) list.drop(id);
  }

  #prune(hubId: string, before: string): void {
    for (const [id, { item }] of this.#entries) {
      const { hubId: itsHub, createdAt } = item.peek();
      if (itsHub !== hubId || createdAt >= before) continue;
      this.#entries.delete(id);
      for (const list of this.#lists) list.drop(id);
    }
  }
}

type ItemEvent = Extract<EventFrame, { data: Item | ErasedItem }>;

function isItemEvent(event: EventFrame): event is ItemEvent {
  return /^(?:message|note|todo)\./.test(event.event);
}

/** Whether lists show it: a deleted message stays as a blank as long as it has replies. */
export function isThere(data: Item | ErasedItem): data is Item {
  if (!('createdAt' in data)) return false;
  return data.deletedAt === null || (data.kind === 'message' && data.replyCount > 0);
}
