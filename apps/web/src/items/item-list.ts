import type { Item } from '@hub/contract';
import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { errorMessage } from '../api/request.ts';
import type { ItemStore } from './item-store.ts';
import { type Order, placeIn } from './order.ts';

/** A page of the server, newest first; of what is newer than something, oldest first. */
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
  /** Where all its items are, if they are of one Hub: only what happens to that one concerns it. */
  hubId?: string;
  /** What is known already: those that belong into it are shown until the first page is there. */
  known?: readonly Item[];
  /** For lists that can begin in their middle. */
  middle?: {
    /** What is newer than an item. */
    after: (id: string) => Promise<Page>;
    /** The item itself, if it is there, and what is older. */
    upTo: (id: string) => Promise<Page>;
  };
}

export type ListState =
  | { status: 'loading' }
  | { status: 'ready' }
  /** `words` say why. */
  | { status: 'failed'; text: string };

const READY: ListState = { status: 'ready' };
const LOADING: ListState = { status: 'loading' };

/**
 * What one view shows of the items: some pages of a list of the server without a hole between them, and whatever changed since.
 * What lies beyond the first or the last of them comes with its page, not with its event.
 */
export class ItemList {
  readonly #store: ItemStore;
  readonly #options: ItemListOptions;
  readonly #items = signal<readonly Item[]>([]);
  readonly #state = signal<ListState>(LOADING);
  readonly #older = signal<ListState>(READY);
  readonly #newer = signal<ListState>(READY);
  readonly #hasOlder = signal(true);
  readonly #hasNewer = signal(false);
  /** What events have told of beyond the ends. A page that was asked for before such an event does not have it. */
  readonly #beyond = new Map<string, Item>();
  #nextOlder: string | null = null;
  #olderUnderWay: Promise<void> = Promise.resolve();
  #nextNewer: string | null = null;
  /** What of each Hub the page that it begins with reflects. */
  #asOf: (hubId: string) => number = () => Infinity;
  /** How far the page that is on its way has to reach, by Hub. */
  readonly #needed = new Map<string, number>();
  /** Counts the loads from the start: what an older one brings is not heard any more. */
  #run = 0;
  #latest: Promise<boolean> = Promise.resolve(true);
  #stopWatching: () => void;

  /** Around which item it is to be loaded anew, so that a reader keeps his place; `null`: the newest. */
  readerAt: () => string | null = () => null;

  /** `around`: an item to begin with, in place of the newest. */
  constructor(store: ItemStore, options: ItemListOptions, around: string | null = null) {
    this.#store = store;
    this.#options = options;
    this.#items.value = (options.known ?? []).filter(options.holds).sort(options.order);
    this.#stopWatching = store.watch(this);
    void this.reload(around);
  }

  get hubId(): string | undefined {
    return this.#options.hubId;
  }

  /** What is loaded, oldest first. A row reads its item's signal from the store, so that a change of one draws one. */
  get items(): ReadonlySignal<readonly Item[]> {
    return this.#items;
  }

  /** How the page that it begins with stands. */
  get state(): ReadonlySignal<ListState> {
    return this.#state;
  }

  /** How the page before the oldest item stands. */
  get older(): ReadonlySignal<ListState> {
    return this.#older;
  }

  /** How the page after the newest item stands. */
  get newer(): ReadonlySignal<ListState> {
    return this.#newer;
  }

  get hasOlder(): ReadonlySignal<boolean> {
    return this.#hasOlder;
  }

  /** Whether the newest that is loaded is not the newest that there is. */
  get hasNewer(): ReadonlySignal<boolean> {
    return this.#hasNewer;
  }

  /**
   * Begins anew, where its reader is or at the newest. What is shown stays until it is there. False if it failed. If it begins
   * anew once more meanwhile, it is done with that.
   */
  reload(around: string | null = this.readerAt()): Promise<boolean> {
    this.#run += 1;
    this.#latest = this.#loadAnew(this.#run, around);
    return this.#latest;
  }

  /** Told by the store that it is told of the events after this one alone: what came before has to be in the page. */
  reachTo(hubId: string, seq: number): void {
    if (this.#isBeginning) this.#needed.set(hubId, seq);
    else if (this.#asOf(hubId) < seq) void this.reload();
  }

  /** Done when the page is there, or has failed, whoever has asked for it first. */
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

  /** Told by the store of an item that is new or has changed. */
  take(item: Item): void {
    const { holds, order } = this.#options;
    const items = this.#items.peek();
    if (!holds(item)) {
      this.drop(new Set([item.id]));
      return;
    }
    const place = placeIn(items, item, order);
    const known = items[place]?.id === item.id ? place : items.findIndex(({ id }) => id === item.id);
    if (known >= 0) {
      const others = items.toSpliced(known, 1);
      this.#items.value = others.toSpliced(placeIn(others, item, order), 0, item);
      return;
    }
    const isBefore = place === 0 && items.length > 0 && this.#hasOlder.peek();
    const isBehind = place === items.length && this.#hasNewer.peek();
    if (isBefore || isBehind) this.#beyond.set(item.id, item);
    else this.#items.value = items.toSpliced(place, 0, item);
  }

  /** Told by the store of items that are gone. */
  drop(ids: ReadonlySet<string>): void {
    for (const id of ids) this.#beyond.delete(id);
    const items = this.#items.peek();
    const left = items.filter(({ id }) => !ids.has(id));
    if (left.length < items.length) this.#items.value = left;
  }

  /** It is shown no more. */
  dispose(): void {
    this.#run += 1;
    this.#latest = Promise.resolve(true);
    this.#stopWatching();
  }

  /** The ends that are known are not those that it will have. */
  get #isBeginning(): boolean {
    return this.#state.peek().status === 'loading';
  }

  async #loadAnew(run: number, around: string | null): Promise<boolean> {
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
    const known = new Set(present.map(({ id }) => id));
    const added = this.#store.take(items, asOf).filter((item) => holds(item) && !known.has(item.id));
    for (const { id } of added) this.#beyond.delete(id);
    added.sort(order);
    const [first, last] = [present[0], added.at(-1)];
    if (!last) return;
    const areAllBefore = !first || order(last, first) < 0;
    this.#items.value = areAllBefore ? [...added, ...present] : [...present, ...added].sort(order);
  }

  /** The ends have moved: what was beyond them may be between them now. */
  #takeBeyond(): void {
    const waiting = [...this.#beyond.values()];
    this.#beyond.clear();
    for (const item of waiting) this.take(item);
  }
}
