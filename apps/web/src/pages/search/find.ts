import type { Item } from '@hub/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, errorMessage, loadPages } from '../../data/request.ts';
import { instantsOf, type SearchQuery } from './search-query.ts';

const PAGE = 50;
/** A request is sent after a pause this long in typing. */
const PAUSE_MS = 180;
/** The server searches for words, which consist of letters and digits. */
const WORD = /[\p{L}\p{N}]/u;

export type Found =
  | { status: 'idle' }
  /** The query has only punctuation or emoji (no reason), or the server has rejected it. */
  | { status: 'unsearchable'; reason?: string }
  | { status: 'searching'; items: readonly Item[] }
  | { status: 'found'; items: readonly Item[]; next: string | null }
  /** With results: more of them could not be loaded. */
  | { status: 'failed'; error: string; items: readonly Item[]; next: string | null };

/** Searches while the user types and cancels the previous request. */
export class Finder {
  readonly #found = signal<Found>({ status: 'idle' });
  readonly found: ReadonlySignal<Found> = this.#found;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #query: SearchQuery | null = null;
  #isLoadingMore = false;

  /** Starts a search. The shown results stay until the response arrives. */
  ask(query: SearchQuery, { isNow = false } = {}): void {
    this.close();
    this.#query = query;
    if (query.q.trim() === '') {
      this.#found.value = { status: 'idle' };
      return;
    }
    if (!WORD.test(query.q)) {
      this.#found.value = { status: 'unsearchable' };
      return;
    }
    const before = this.#found.peek();
    this.#found.value = { status: 'searching', items: 'items' in before ? before.items : [] };
    this.#timer = setTimeout(() => void this.#load(query, null, []), isNow ? 0 : PAUSE_MS);
  }

  /** Loads more results, or again those that failed. Returns false if there are none. */
  more(): boolean {
    const result = this.#found.peek();
    if (!('next' in result) || result.next === null || !this.#query) return false;
    if (!this.#isLoadingMore) void this.#load(this.#query, result.next, result.items);
    this.#isLoadingMore = true;
    return true;
  }

  /** Repeats the search for as many results as are shown, since changes are not pushed. They stay if it fails. */
  refresh(): void {
    const result = this.#found.peek();
    if (result.status !== 'found' || !this.#query) return;
    this.close();
    void this.#load(this.#query, null, [], result.items.length);
  }

  close(): void {
    this.#isLoadingMore = false;
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  async #load(query: SearchQuery, before: string | null, present: readonly Item[], min = 0): Promise<void> {
    this.#stop.abort();
    this.#stop = new AbortController();
    const { signal: stopped } = this.#stop;
    try {
      const { time, ...filters } = query;
      const search = { ...filters, ...instantsOf(time, Date.now()), before, limit: PAGE };
      const { items, next } = await loadPages('GET /search', { query: search, signal: stopped }, min);
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      this.#found.value = { status: 'found', items: [...present, ...items], next };
    } catch (error) {
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      if (error instanceof ApiError && error.statusCode === 400)
        this.#found.value = { status: 'unsearchable', reason: error.message };
      else if (min === 0)
        this.#found.value = { status: 'failed', error: errorMessage(error), items: present, next: before };
    }
  }
}
