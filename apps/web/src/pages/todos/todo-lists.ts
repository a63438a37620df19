import type { Item, Todo } from '@hub/contract';
import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { byCreation, type Order } from '../../data/items/item.ts';
import { ItemList, type Page } from '../../data/items/item-list.ts';
import type { ItemStore } from '../../data/items/item-store.ts';
import { request } from '../../data/request.ts';
import { type DueGroup, dueGroup } from '../../lib/time/due.ts';
import { daysAgo } from '../../lib/time/format.ts';
import { PRIORITIES, priorityLabel, type Sort } from './todo-query.ts';

/** How many open to-dos are loaded without scrolling, so that they can be sorted and filtered here. */
const MAX_OPEN = 2_000;
/** How many completed to-dos are loaded to be sorted by completion; the server lists them by creation. */
const MAX_DONE = 1_000;

export interface TodoSource {
  /** Set if all to-dos are in one Hub. */
  hubId?: string;
  holds: (todo: Todo) => boolean;
  order: Order;
  load: (status: Todo['status'], before: string | null) => Promise<Page>;
}

/**
 * The open and completed to-dos of a Hub or a user. One that is checked off or reopened keeps its position until
 * `settle()` is called, so that nothing jumps away from under the pointer.
 */
export class TodoLists {
  readonly open: ItemList;
  readonly #store: ItemStore;
  readonly #source: TodoSource;
  readonly #listed = new Map<string, Todo['status']>();
  readonly #isOpenLoaded = signal(false);
  /** Whether everything that loads without scrolling is loaded. */
  readonly isOpenLoaded: ReadonlySignal<boolean> = this.#isOpenLoaded;
  readonly #isDoneLoaded = signal(false);
  readonly isDoneLoaded: ReadonlySignal<boolean> = this.#isDoneLoaded;
  readonly #stops: (() => void)[] = [];
  #done: ItemList | null = null;

  constructor(store: ItemStore, source: TodoSource) {
    this.#store = store;
    this.#source = source;
    this.open = this.#list('open', source.order);
    this.#stops.push(loadUpTo(this.open, MAX_OPEN, this.#isOpenLoaded));
  }

  /** Loaded on first use. */
  get done(): ItemList {
    if (!this.#done) {
      const order: Order = (one, other) => lastDoneFirst(other as Todo, one as Todo);
      this.#done = this.#list('done', order);
      this.#stops.push(loadUpTo(this.#done, MAX_DONE, this.#isDoneLoaded));
    }
    return this.#done;
  }

  /** Moves each to-do to the list for its current status. */
  settle(): void {
    const moved: Item[] = [];
    for (const [id, list] of this.#listed) {
      const item = this.#store.get(id).peek();
      if (item?.kind === 'todo' && item.status === list) continue;
      this.#listed.delete(id);
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
      holds: (item) => item.kind === 'todo' && this.#source.holds(item) && this.#listOf(item) === status,
      load: async (before) => {
        const page = await this.#source.load(status, before);
        if (before === null) this.#forget(status);
        return page;
      },
    });
  }

  #listOf({ id, status }: Todo): Todo['status'] {
    const list = this.#listed.get(id);
    if (list === undefined) this.#listed.set(id, status);
    return list ?? status;
  }

  /**
   * Forgets positions when a list restarts, so that it shows the server's state. If the other list has restarted
   * already, it left out what was still shown here.
   */
  #forget(status: Todo['status']): void {
    const other = status === 'open' ? this.#done : this.open;
    for (const [id, list] of this.#listed) {
      if (list !== status) continue;
      this.#listed.delete(id);
      const item = this.#store.get(id).peek();
      if (item?.kind === 'todo' && item.status !== status) other?.take(item);
    }
  }
}

/** Loads page after page up to `max` items. */
function loadUpTo(list: ItemList, max: number, isLoaded: { value: boolean }): () => void {
  return effect(() => {
    const isReady = list.state.value.status === 'ready' && list.older.value.status === 'ready';
    const isMissing = list.hasOlder.value && list.items.value.length < max;
    if (!isReady) return;
    if (isMissing) queueMicrotask(() => void list.loadOlder());
    else isLoaded.value = true;
  });
}

export interface TodoGroup {
  key: string;
  title: string;
  isLate: boolean;
  /** How many to-dos belong to the group, including those that are not drawn. */
  count: number;
  todos: readonly Todo[];
}

const DUE_TITLES: Record<DueGroup, string> = {
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next 7 days',
  future: 'Later',
  none: 'No date',
};
const DUE_ORDER = Object.keys(DUE_TITLES) as DueGroup[];

/** Groups open to-dos. Empty groups are left out. */
export function groupOpen(todos: readonly Todo[], sort: Sort, nowMs: number): TodoGroup[] {
  if (sort === 'newest') return present([group('newest', 'Newest first', todos.toSorted(newestFirst))]);
  if (sort === 'priority') {
    const sorted = todos.toSorted((one, other) => byDue(one, other) || newestFirst(one, other));
    const groups = [...PRIORITIES, null].map((priority) => {
      const title = priority === null ? 'No priority' : priorityLabel(priority);
      const members = sorted.filter((todo) => todo.priority === priority);
      return group(title, title, members);
    });
    return present(groups);
  }
  const sorted = todos.toSorted(
    (one, other) => byDue(one, other) || rank(one) - rank(other) || newestFirst(one, other),
  );
  const byDay = Map.groupBy(sorted, ({ dueDate }) => dueGroup(dueDate, nowMs));
  return present(DUE_ORDER.map((due) => group(due, DUE_TITLES[due], byDay.get(due) ?? [], due === 'overdue')));
}

const DONE_TITLES = {
  today: 'Done today',
  yesterday: 'Done yesterday',
  week: 'Done in the last seven days',
  earlier: 'Done earlier',
};
const DONE_ORDER = Object.keys(DONE_TITLES) as (keyof typeof DONE_TITLES)[];

/** Groups completed to-dos, the most recent first. */
export function groupDone(todos: readonly Todo[], nowMs: number): TodoGroup[] {
  const byAge = Map.groupBy(todos.toSorted(lastDoneFirst), ({ finishedAt, createdAt }) => {
    const days = daysAgo(finishedAt ?? createdAt, nowMs);
    return days <= 0 ? 'today' : days === 1 ? 'yesterday' : days < 7 ? 'week' : 'earlier';
  });
  return present(DONE_ORDER.map((age) => group(`done-${age}`, DONE_TITLES[age], byAge.get(age) ?? [])));
}

function lastDoneFirst(one: Todo, other: Todo): number {
  return compare(other.finishedAt ?? '', one.finishedAt ?? '') || newestFirst(one, other);
}

/** To-dos without a date come last. */
function byDue(one: Todo, other: Todo): number {
  if (one.dueDate === other.dueDate) return 0;
  if (one.dueDate === null || other.dueDate === null) return one.dueDate === null ? 1 : -1;
  return compare(one.dueDate, other.dueDate);
}

function rank({ priority }: Todo): number {
  return priority === null ? PRIORITIES.length : PRIORITIES.indexOf(priority);
}

/** Ids are ULIDs after a prefix, so they increase with time across Hubs. */
function newestFirst(one: Todo, other: Todo): number {
  return compare(other.id, one.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function group(key: string, title: string, todos: readonly Todo[], isLate = false): TodoGroup {
  const status = key.startsWith('done-') ? 'done' : 'open';
  return { key, title, isLate, todos, count: todos.filter((todo) => todo.status === status).length };
}

function present(groups: readonly TodoGroup[]): TodoGroup[] {
  return groups.filter(({ todos }) => todos.length > 0);
}

/** Returns the to-dos assigned to a user in all Hubs. */
export function myTodos(myId: string): TodoSource {
  return {
    holds: ({ assignee }) => assignee?.id === myId,
    order: byCreation,
    load: async (status, before) => {
      const query = { assigneeId: 'me', status, before, limit: 100 };
      const { items, next, seqs } = await request('GET /todos', { query });
      return { items, next, asOf: (hubId) => seqs[hubId] ?? 0 };
    },
  };
}
