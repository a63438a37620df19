import type { Item } from '@hub/contract';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { errorMessage } from '../request.ts';
import { insertionIndex, type Order } from './item.ts';
import type { ItemStore } from './item-store.ts';

/** A page from the server: newest first, or oldest first if it was requested with `after`. */
export interface Page {
  items: readonly Item[];
  next: string | null;
  /** The latest event of this Hub that the page reflects. */
  asOf: (hubId: string) => number;
}

export interface ItemListOptions {
  holds: (item: Item) => boolean;
  order: Order;
  /** Loads the newest page, or the page that the `next` of another page points to. */
  load: (before: string | null) => Promise<Page>;
  /** The Hub of all its items, if there is only one. The list then ignores other Hubs. */
  hubId?: string;
  /** Items that are already loaded: those that belong to the list are shown until the first page arrives. */
  initialItems?: readonly Item[];
  /** For lists that can begin in the middle. */
  middle?: {
    after: (id: string) => Promise<Page>;
    /** Loads an item, if it exists, and the page before it. */
    upTo: (id: string) => Promise<Page>;
  };
}

type ListState = { status: 'loading' } | { status: 'ready' } | { status: 'failed'; text: string };

const READY: ListState = { status: 'ready' };
const LOADING: ListState = { status: 'loading' };

/**
 * The items that one view shows: consecutive pages of a list on the server, and every change since. Items beyond the
 * first or the last loaded one are added with their page, not by their event.
 */
export class ItemList {
  readonly #store: ItemStore;
  readonly #options: ItemListOptions;
  readonly #items = signal<readonly Item[]>([]);
  /** The loaded items, oldest first. Rows read their items from the store, so a change renders only one row. */
  readonly items: ReadonlySignal<readonly Item[]> = this.#items;
  readonly #state = signal<ListState>(LOADING);
  /** The state of the first page. */
  readonly state: ReadonlySignal<ListState> = this.#state;
  readonly #older = signal<ListState>(READY);
  /** The state of the page before the oldest item. */
  readonly older: ReadonlySignal<ListState> = this.#older;
  readonly #newer = signal<ListState>(READY);
  /** The state of the page after the newest item. */
  readonly newer: ReadonlySignal<ListState> = this.#newer;
  readonly #hasOlder = signal(true);
  readonly hasOlder: ReadonlySignal<boolean> = this.#hasOlder;
  readonly #hasNewer = signal(false);
  /** Whether there are items after the newest loaded one. */
  readonly hasNewer: ReadonlySignal<boolean> = this.#hasNewer;
  /** Items beyond the ends, from events. A page that was requested before such an event does not contain the item. */
  readonly #beyond = new Map<string, Item>();
  #nextOlder: string | null = null;
  #olderUnderWay: Promise<void> = Promise.resolve();
  #nextNewer: string | null = null;
  /** For each Hub, the latest event that the first page reflects. */
  #asOf: (hubId: string) => number = () => Infinity;
  /** For each Hub, the event that the page being loaded must reflect. */
  readonly #needed = new Map<string, number>();
  /** Counts reloads: the result of an earlier one is ignored. */
  #run = 0;
  #latest: Promise<boolean> = Promise.resolve(true);
  #stopWatching: () => void;

  /** Returns the item to reload around, so that readers keep their position; `null` for the newest. */
  readerAt: () => string | null = () => null;

  /** `around`: the item to begin at; `null` for the newest. */
  constructor(store: ItemStore, options: ItemListOptions, around: string | null = null) {
    this.#store = store;
    this.#options = options;
    this.#items.value = (options.initialItems ?? []).filter(options.holds).sort(options.order);
    this.#stopWatching = store.watch(this);
    void this.reload(around);
  }

  get hubId(): string | undefined {
    return this.#options.hubId;
  }

  get order(): Order {
    return this.#options.order;
  }

  /**
   * Reloads the list around the reader's position or at the newest items. The shown items stay until the new ones have
   * loaded. Resolves to false if loading failed. If another reload starts in the meantime, resolves to its result.
   */
  reload(around: string | null = this.readerAt()): Promise<boolean> {
    this.#run += 1;
    this.#latest = this.#load(this.#run, around);
    return this.#latest;
  }

  /** Called by the store when it receives only the events after `seq`: the page must reflect all earlier ones. */
  reachTo(hubId: string, seq: number): void {
    if (this.#isBeginning) this.#needed.set(hubId, seq);
    else if (this.#asOf(hubId) < seq) void this.reload();
  }

  /** Resolves when the page has loaded or failed, even if an earlier call requested it. */
  async loadOlder(): Promise<void> {
    const next = this.#nextOlder;
    if (next === null || this.#isBeginning) return;
    if (this.#older.peek().status !== 'loading') {
      this.#olderUnderWay = this.#extend(
        this.#older,
        () => this.#options.load(next),
        (page) => this.#takeOlder(page),
      );
    }
    await this.#olderUnderWay;
  }

  async loadNewer(): Promise<void> {
    const { middle } = this.#options;
    const next = this.#nextNewer;
    if (next === null || !middle || this.#isBeginning || this.#newer.peek().status === 'loading') return;
    await this.#extend(
      this.#newer,
      () => middle.after(next),
      (page) => this.#takeNewer(page),
    );
  }

  /** Called by the store when an item was added or changed. */
  take(item: Item): void {
    const { holds, order } = this.#options;
    const items = this.#items.peek();
    if (!holds(item)) {
      this.drop(new Set([item.id]));
      return;
    }
    const index = insertionIndex(items, item, order);
    const former = items[index]?.id === item.id ? index : items.findIndex(({ id }) => id === item.id);
    if (former >= 0) {
      const others = items.toSpliced(former, 1);
      this.#items.value = others.toSpliced(insertionIndex(others, item, order), 0, item);
      return;
    }
    const isBefore = index === 0 && items.length > 0 && this.#hasOlder.peek();
    const isBehind = index === items.length && this.#hasNewer.peek();
    if (isBefore || isBehind) this.#beyond.set(item.id, item);
    else this.#items.value = items.toSpliced(index, 0, item);
  }

  /** Called by the store when items were removed. */
  drop(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#beyond.delete(id);
    const items = this.#items.peek();
    const remaining = items.filter(({ id }) => !ids.has(id));
    if (remaining.length < items.length) this.#items.value = remaining;
  }

  /** Stops updating the list when it is no longer shown. */
  dispose(): void {
    this.#run += 1;
    this.#latest = Promise.resolve(true);
    this.#stopWatching();
  }

  /** Whether the first page is loading: the known ends are about to change. */
  get #isBeginning(): boolean {
    return this.#state.peek().status === 'loading';
  }

  async #load(run: number, around: string | null): Promise<boolean> {
    this.#needed.clear();
    this.#state.value = LOADING;
    try {
      const [older, newer] = await this.#loadStart(around);
      if (run !== this.#run) return this.#latest;
      batch(() => this.#begin(older, newer));
      const isShort = [...this.#needed].some(([hubId, seq]) => this.#asOf(hubId) < seq);
      return isShort ? await this.reload() : true;
    } catch (error) {
      if (run !== this.#run) return this.#latest;
      // Without a first page, there may be others between the known items.
      if (this.#nextOlder === null && this.#hasOlder.peek()) this.#items.value = [];
      this.#state.value = { status: 'failed', text: errorMessage(error) };
      return false;
    }
  }

  async #loadStart(around: string | null): Promise<[older: Page, newer: Page | null]> {
    const { load, middle } = this.#options;
    if (around === null || !middle) return [await load(null), null];
    return Promise.all([middle.upTo(around), middle.after(around)]);
  }

  #begin(older: Page, newer: Page | null): void {
    this.#asOf = (hubId) => Math.min(older.asOf(hubId), newer?.asOf(hubId) ?? Infinity);
    const arrived = [...this.#items.peek(), ...this.#beyond.values()].filter(
      ({ id, hubId }) => this.#store.asOf(id) > this.#asOf(hubId),
    );
    this.#items.value = [];
    this.#beyond.clear();
    this.#hasNewer.value = false;
    this.#nextNewer = null;
    this.#merge(older);
    this.#nextOlder = older.next;
    this.#hasOlder.value = older.next !== null;
    if (newer) this.#takeNewer(newer);
    for (const item of arrived) this.take(item);
    this.#older.value = READY;
    this.#newer.value = READY;
    this.#state.value = READY;
  }

  async #extend(state: { value: ListState }, load: () => Promise<Page>, takePage: (page: Page) => void): Promise<void> {
    const run = this.#run;
    state.value = LOADING;
    try {
      const page = await load();
      if (run !== this.#run) return;
      batch(() => {
        takePage(page);
        state.value = READY;
      });
    } catch (error) {
      if (run === this.#run) state.value = { status: 'failed', text: errorMessage(error) };
    }
  }

  #takeOlder(page: Page): void {
    this.#merge(page);
    this.#nextOlder = page.next;
    this.#hasOlder.value = page.next !== null;
    this.#takeBeyond();
  }

  #takeNewer(page: Page): void {
    this.#merge(page);
    this.#nextNewer = page.next;
    this.#hasNewer.value = page.next !== null;
    this.#takeBeyond();
  }

  #merge({ items, asOf }: Page): void {
    const { holds, order } = this.#options;
    const present = this.#items.peek();
    const ids = new Set(present.map(({ id }) => id));
    const added = this.#store.take(items, asOf).filter((item) => holds(item) && !ids.has(item.id));
    for (const { id } of added) this.#beyond.delete(id);
    added.sort(order);
    const [first, last] = [present[0], added.at(-1)];
    if (!last) return;
    const areAllBefore = !first || order(last, first) < 0;
    this.#items.value = areAllBefore ? [...added, ...present] : [...present, ...added].sort(order);
  }

  /** Tries to add the held-back items again: now that the ends have moved, some may lie between them. */
  #takeBeyond(): void {
    const waiting = [...this.#beyond.values()];
    this.#beyond.clear();
    for (const item of waiting) this.take(item);
  }
}
