import type { Item } from '@hub/contract';
import { signal } from '@preact/signals';
import { errorMessage, request } from '../api/request.ts';
import { instantsOf, type SearchTime } from './search-times.ts';

/** Between two keys so long nothing is asked. */
const PAUSE_MS = 180;
/** The server looks for words: for letters and digits. */
const WORD = /[\p{L}\p{N}]/u;

export interface SearchQuery {
  q: string;
  hubId: string | null;
  kind: string | null;
  status: string | null;
  authorId: string | null;
  keyId: string | null;
  time: SearchTime | null;
}

export type Found =
  | { status: 'idle' }
  /** Signs alone: there is nothing that could be looked for. */
  | { status: 'wordless' }
  | { status: 'asking'; items: readonly Item[] }
  | { status: 'found'; items: readonly Item[]; next: string | null }
  | { status: 'failed'; error: string };

interface SearchResponse {
  items: Item[];
  next: string | null;
}

/** Asks as one types; what was asked before is not waited for any more. */
export class Finder {
  readonly #found = signal<Found>({ status: 'idle' });
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #query: SearchQuery | null = null;
  #isLoadingMore = false;

  get found() {
    return this.#found;
  }

  /** What is shown stays until the answer is there. */
  ask(query: SearchQuery, { isNow = false } = {}): void {
    this.close();
    this.#query = query;
    if (query.q.trim() === '') {
      this.#found.value = { status: 'idle' };
      return;
    }
    if (!WORD.test(query.q)) {
      this.#found.value = { status: 'wordless' };
      return;
    }
    const before = this.#found.peek();
    this.#found.value = { status: 'asking', items: 'items' in before ? before.items : [] };
    this.#timer = setTimeout(() => void this.#load(query, null, []), isNow ? 0 : PAUSE_MS);
  }

  /** Adds the next ones, if there are any; whether there are. */
  more(): boolean {
    const found = this.#found.peek();
    if (found.status !== 'found' || found.next === null || !this.#query) return false;
    if (!this.#isLoadingMore) void this.#load(this.#query, found.next, found.items);
    this.#isLoadingMore = true;
    return true;
  }

  /** Looks for the same anew, for as much of it as is shown: it may have changed unheard. */
  again(): void {
    const found = this.#found.peek();
    if (found.status !== 'found' || !this.#query) return;
    this.close();
    void this.#load(this.#query, null, [], found.items.length);
  }

  close(): void {
    this.#isLoadingMore = false;
    clearTimeout(this.#timer);
    this.#stop.abort();
  }

  async #load(query: SearchQuery, before: string | null, shown: readonly Item[], least = 0): Promise<void> {
    this.#stop = new AbortController();
    const { signal: stopped } = this.#stop;
    try {
      const { time, ...filters } = query;
      let items = shown;
      let next = before;
      do {
        const response: SearchResponse = await request('GET', '/search', {
          query: { ...filters, ...instantsOf(time, Date.now()), before: next },
          signal: stopped,
        });
        items = [...items, ...response.items];
        next = response.next;
      } while (next !== null && items.length < least);
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      this.#found.value = { status: 'found', items, next };
    } catch (error) {
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      this.#found.value = { status: 'failed', error: errorMessage(error) };
    }
  }
}
