import type { Item } from '@hub/contract';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { wordsOf } from '../api/request.ts';
import type { ItemStore } from './item-store.ts';
import { type Order, placeIn } from './order.ts';

/** A page of the server, newest first. */
export interface Page {
  items: readonly Item[];
  next: string | null;
  /** The event of this Hub that the page reflects. */
  asOf: (hubId: string) => number;
}

export interface ItemListOptions {
  /** Whether an item belongs into this list. */
  holds: (item: Item) => boolean;
  order: Order;
  /** The newest page, or the one before `next` of another. */
  load: (before: string | null) => Promise<Page>;
}

export type ListState =
  | { status: 'loading' }
  | { status: 'ready' }
  /** `words` say why. */
  | { status: 'failed'; words: string };

/**
 * What one view shows of the items: the newest pages of a list of the server, and whatever changed since. An item that is older
 * than all that was loaded comes with its page, not with its event: otherwise there would be a hole above it.
 */
export class ItemList {
  readonly #store: ItemStore;
  readonly #options: ItemListOptions;
  readonly #items = signal<readonly Item[]>([]);
  readonly #state = signal<ListState>({ status: 'loading' });
  readonly #older = signal<ListState>({ status: 'ready' });
  readonly #hasOlder = signal(true);
  #next: string | null = null;
  /** Counts the loads from the start: what an older one brings is not heard any more. */
  #run = 0;
  #stopWatching: () => void;

  constructor(store: ItemStore, options: ItemListOptions) {
    this.#store = store;
    this.#options = options;
    this.#stopWatching = store.watch(this);
    void this.reload();
  }

  /** What is loaded, oldest first. A row reads its item's signal from the store, so that a change of one draws one. */
  get items(): ReadonlySignal<readonly Item[]> {
    return this.#items;
  }

  /** How the newest page stands. */
  get state(): ReadonlySignal<ListState> {
    return this.#state;
  }

  /** How the page before the oldest item stands. */
  get older(): ReadonlySignal<ListState> {
    return this.#older;
  }

  get hasOlder(): ReadonlySignal<boolean> {
    return this.#hasOlder;
  }

  /** Begins anew with the newest page. What is shown stays until it is there. */
  async reload(): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    this.#state.value = { status: 'loading' };
    try {
      const page = await this.#options.load(null);
      if (run !== this.#run) return;
      const arrivedMeanwhile = this.#items.peek().filter((item) => item.seq > page.asOf(item.hubId));
      batch(() => {
        this.#items.value = [];
        this.#takePage(page);
        for (const item of arrivedMeanwhile) this.take(item);
        this.#older.value = { status: 'ready' };
        this.#state.value = { status: 'ready' };
      });
    } catch (error) {
      if (run === this.#run) this.#state.value = { status: 'failed', words: wordsOf(error) };
    }
  }

  async loadOlder(): Promise<void> {
    if (this.#next === null || this.#state.peek().status !== 'ready' || this.#older.peek().status === 'loading') return;
    const run = this.#run;
    this.#older.value = { status: 'loading' };
    try {
      const page = await this.#options.load(this.#next);
      if (run !== this.#run) return;
      batch(() => {
        this.#takePage(page);
        this.#older.value = { status: 'ready' };
      });
    } catch (error) {
      if (run === this.#run) this.#older.value = { status: 'failed', words: wordsOf(error) };
    }
  }

  /** Told by the store of an item that is new or has changed. */
  take(item: Item): void {
    const { holds, order } = this.#options;
    const items = this.#items.peek();
    const known = items.findIndex(({ id }) => id === item.id);
    if (!holds(item)) {
      if (known >= 0) this.#items.value = items.toSpliced(known, 1);
      return;
    }
    if (known >= 0) {
      const others = items.toSpliced(known, 1);
      this.#items.value = others.toSpliced(placeIn(others, item, order), 0, item);
      return;
    }
    const place = placeIn(items, item, order);
    if (place === 0 && this.#hasOlder.peek() && items.length > 0) return;
    this.#items.value = items.toSpliced(place, 0, item);
  }

  /** Told by the store of an item that is gone. */
  drop(id: string): void {
    const items = this.#items.peek();
    const left = items.filter((item) => item.id !== id);
    if (left.length < items.length) this.#items.value = left;
  }

  /** It is shown no more. */
  dispose(): void {
    this.#run += 1;
    this.#stopWatching();
  }

  #takePage({ items, next, asOf }: Page): void {
    const { holds, order } = this.#options;
    const known = new Set(this.#items.peek().map(({ id }) => id));
    const added = this.#store.take(items, asOf).filter((item) => holds(item) && !known.has(item.id));
    this.#items.value = [...this.#items.peek(), ...added].sort(order);
    this.#next = next;
    this.#hasOlder.value = next !== null;
  }
}
