import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { errorMessage } from '../request.ts';
import { useWorkspaceChanges, type WorkspaceTopic } from './workspace.ts';

interface Page<T> {
  items: readonly T[];
  next: string | null;
}

/** `text`: the error message if the last page failed to load. */
interface PagesState<T> extends Page<T> {
  status: 'loading' | 'ready' | 'failed';
  text: string;
}

type LoadPage<T> = (before: string | null, stopped: AbortSignal) => Promise<Page<T>>;

/** The loaded pages of a list, newest first. */
export class Pages<T extends { id: string }> {
  readonly #load: LoadPage<T>;
  readonly #state = signal<PagesState<T>>({ items: [], next: null, status: 'loading', text: '' });
  readonly state: ReadonlySignal<PagesState<T>> = this.#state;
  readonly #stop = new AbortController();
  #isLoading = false;
  #isStale = false;

  constructor(load: LoadPage<T>) {
    this.#load = load;
  }

  /** Loads the first page, the next page, or again the one that failed. */
  async loadMore(): Promise<void> {
    const { status, next } = this.#state.peek();
    if (this.#isLoading || (status === 'ready' && next === null)) return;
    this.#isLoading = true;
    this.#state.value = { ...this.#state.peek(), status: 'loading' };
    try {
      const page = await this.#load(next, this.#stop.signal);
      const items = [...this.#state.peek().items, ...page.items];
      this.#state.value = { items, next: page.next, status: 'ready', text: '' };
    } catch (error) {
      this.#state.value = { ...this.#state.peek(), status: 'failed', text: errorMessage(error) };
    }
    this.#isLoading = false;
    if (this.#isStale) await this.refresh();
  }

  /** Adds items that are newer than the loaded ones. If there is more than one page of them, the list starts over. */
  async refresh(): Promise<void> {
    this.#isStale = this.#isLoading;
    if (this.#isStale) return;
    const page = await this.#load(null, this.#stop.signal).catch(() => null);
    if (page === null) return;
    // Older items that are loading now would not continue a list that starts over.
    this.#isStale = this.#isLoading;
    if (this.#isStale) return;
    const state = this.#state.peek();
    const ids = new Set(state.items.map(({ id }) => id));
    const newer = page.items.filter(({ id }) => !ids.has(id));
    const isFirst = state.items.length === 0 || (newer.length === page.items.length && page.next !== null);
    if (isFirst) this.#state.value = { ...page, status: 'ready', text: '' };
    else if (newer.length > 0) this.#state.value = { ...state, items: [...newer, ...state.items] };
  }

  close(): void {
    this.#stop.abort();
  }
}

/** Loads a list page by page, and adds newer items when these topics change. Another `key` starts over. */
export function usePages<T extends { id: string }>(
  load: LoadPage<T>,
  { key, topics }: { key: string; topics: readonly WorkspaceTopic[] },
) {
  const latest = useRef(load);
  latest.current = load;
  const pages = useMemo(() => new Pages<T>((...page) => latest.current(...page)), [key]);
  useEffect(() => {
    void pages.loadMore();
    return () => pages.close();
  }, [pages]);
  useWorkspaceChanges(topics, () => void pages.refresh());
  return { pages: pages.state.value, loadMore: () => void pages.loadMore(), refresh: () => void pages.refresh() };
}
