import type { Item, Todo } from '@hub/contract';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ItemList, type Page } from '../items/item-list.ts';
import type { ItemStore } from '../items/item-store.ts';
import type { Order } from '../items/order.ts';
import { lastDoneFirst } from './group-todos.ts';

/** So many open ones are loaded at once, so that they are sorted and filtered at once, too. */
const MAX_OPEN = 2_000;
/** The server lists by making; so many are put in the order in which they were done. */
const MAX_DONE = 1_000;

export interface TodoSource {
  /** If they are all of one Hub. */
  hubId?: string;
  holds: (todo: Todo) => boolean;
  order: Order;
  load: (status: Todo['status'], before: string | null) => Promise<Page>;
}

/**
 * The open to-dos of a Hub or of a person, and those that are done. One that is checked off, or opened again, stays where it is
 * until `settle`: nothing jumps away from under the pointer.
 */
export class TodoLists {
  readonly open: ItemList;
  readonly #store: ItemStore;
  readonly #source: TodoSource;
  /** In which list each is shown. */
  readonly #places = new Map<string, Todo['status']>();
  readonly #isOpenWhole = signal(false);
  readonly #isDoneWhole = signal(false);
  readonly #stops: (() => void)[] = [];
  #done: ItemList | null = null;

  constructor(store: ItemStore, source: TodoSource) {
    this.#store = store;
    this.#source = source;
    this.open = this.#list('open', source.order);
    this.#stops.push(loadUpTo(this.open, MAX_OPEN, this.#isOpenWhole));
  }

  /** Loaded when it is first asked for. */
  get done(): ItemList {
    if (!this.#done) {
      const order: Order = (one, other) => lastDoneFirst(other as Todo, one as Todo);
      this.#done = this.#list('done', order);
      this.#stops.push(loadUpTo(this.#done, MAX_DONE, this.#isDoneWhole));
    }
    return this.#done;
  }

  /** Whether as much is loaded as is loaded without scrolling. */
  get isOpenWhole(): ReadonlySignal<boolean> {
    return this.#isOpenWhole;
  }

  get isDoneWhole(): ReadonlySignal<boolean> {
    return this.#isDoneWhole;
  }

  /** Each goes to where it belongs by now. */
  settle(): void {
    const moved: Item[] = [];
    for (const [id, place] of this.#places) {
      const item = this.#store.get(id).peek();
      if (item?.kind === 'todo' && item.status === place) continue;
      this.#places.delete(id);
      if (item) moved.push(item);
    }
    for (const item of moved) for (const list of [this.open, this.#done]) list?.take(item);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.open.dispose();
    this.#done?.dispose();
  }

  #list(status: Todo['status'], order: Order): ItemList {
    const { hubId } = this.#source;
    return new ItemList(this.#store, {
      order,
      ...(hubId === undefined ? {} : { hubId }),
      holds: (item) => item.kind === 'todo' && this.#source.holds(item) && this.#placeOf(item) === status,
      load: async (before) => {
        const page = await this.#source.load(status, before);
        if (before === null) this.#forget(status);
        return page;
      },
    });
  }

  #placeOf({ id, status }: Todo): Todo['status'] {
    const known = this.#places.get(id);
    if (known === undefined) this.#places.set(id, status);
    return known ?? status;
  }

  /** A list that begins anew shows what the server says. */
  #forget(status: Todo['status']): void {
    for (const [id, place] of this.#places) if (place === status) this.#places.delete(id);
  }
}

/** Loads page after page, until there are so many. */
function loadUpTo(list: ItemList, most: number, isWhole: { value: boolean }): () => void {
  return effect(() => {
    const isReady = list.state.value.status === 'ready' && list.older.value.status === 'ready';
    const isMissing = list.hasOlder.value && list.items.value.length < most;
    if (!isReady) return;
    if (isMissing) queueMicrotask(() => void list.loadOlder());
    else isWhole.value = true;
  });
}
