import type { Item, TodoStatus } from '@hub/contract';
import { type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, errorMessage, loadPages } from '../../data/request.ts';
import { KIND_CHOICES } from '../../lib/items.ts';
import { oneIn, textIn, urlFilters } from '../../lib/router/filters.ts';
import { isDay, localDay, startOfDay } from '../../lib/time/dates.ts';

/** The kinds to search for, with open and completed to-dos. */
export const SEARCH_KINDS: readonly { id: string; name: string; kind: Item['kind']; status: TodoStatus | null }[] = [
  ...KIND_CHOICES.map(({ kind, label }) => ({ id: kind, name: label, kind, status: null })),
  { id: 'todo-open', name: 'Open to-dos', kind: 'todo', status: 'open' },
  { id: 'todo-done', name: 'Completed to-dos', kind: 'todo', status: 'done' },
];

/** A search with its filters, which are kept in the URL. */
export interface SearchQuery {
  q: string;
  hubId: string | null;
  /** The id of one of the kinds above. */
  kindId: string | null;
  authorId: string | null;
  keyId: string | null;
  time: SearchTime | null;
}

export const searchFilters = urlFilters<SearchQuery>({
  q: { parameter: 'q', none: '', read: (text) => text },
  hubId: textIn('hub'),
  kindId: oneIn(
    'kind',
    SEARCH_KINDS.map(({ id }) => id),
    null,
  ),
  authorId: textIn('author'),
  keyId: textIn('key'),
  time: { parameter: 'time', none: null, read: readTime, write: writeTime },
});

export function searchUrl(search: SearchQuery): string {
  const query = searchFilters.write(new URLSearchParams(), search);
  return query.size === 0 ? '/search' : `/search?${query}`;
}

/** A time range to search in: the last few days up to now, or from one day to another, including both days. */
export type SearchTime = { last: number } | { from: string; to: string };

const LAST = /^last-(\d{1,3})$/;

/** Parses the value in the URL: `last-7`, or `2026-03-01..2026-03-14`, in which either day may be omitted. */
export function readTime(text: string | null): SearchTime | null {
  const [, last] = LAST.exec(text ?? '') ?? [];
  if (last !== undefined && Number(last) > 0) return { last: Number(last) };
  const [from = '', to = '', ...more] = (text ?? '').split('..');
  if (more.length > 0 || (text ?? '').indexOf('..') < 0 || ![from, to].every((day) => day === '' || isDay(day))) {
    return null;
  }
  return { from, to };
}

export function writeTime(time: SearchTime): string {
  return 'last' in time ? `last-${time.last}` : `${time.from}..${time.to}`;
}

/** Returns the instants at which the range begins and ends in the reader's time zone. */
export function instantsOf(time: SearchTime | null, now: number): { from: string | null; to: string | null } {
  if (time === null) return { from: null, to: null };
  if ('last' in time) return { from: startOfDay(localDay(now), 1 - time.last), to: null };
  const { from, to } = time;
  return { from: from === '' ? null : startOfDay(from), to: to === '' ? null : startOfDay(to, 1) };
}

const PAGE = 50;
/** A request is sent after a pause this long in typing. */
const PAUSE_MS = 180;
/** The server searches for words, which consist of letters and digits. */
const WORD = /[\p{L}\p{N}]/u;

type SearchResults =
  | { status: 'idle' }
  /** The query has only punctuation or emoji (no reason), or the server has rejected it. */
  | { status: 'unsearchable'; reason?: string }
  | { status: 'searching'; items: readonly Item[] }
  | { status: 'ready'; items: readonly Item[]; next: string | null }
  /** With results: more of them could not be loaded. */
  | { status: 'failed'; error: string; items: readonly Item[]; next: string | null };

/** Searches while the user types and cancels the previous request. */
export class Finder {
  readonly #results = signal<SearchResults>({ status: 'idle' });
  readonly results: ReadonlySignal<SearchResults> = this.#results;
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #query: SearchQuery | null = null;
  #isLoadingMore = false;

  /** Starts a search. The shown results stay until the response arrives. */
  ask(query: SearchQuery, { isNow = false } = {}): void {
    this.close();
    this.#query = query;
    if (query.q.trim() === '') {
      this.#results.value = { status: 'idle' };
      return;
    }
    if (!WORD.test(query.q)) {
      this.#results.value = { status: 'unsearchable' };
      return;
    }
    const before = this.#results.peek();
    this.#results.value = { status: 'searching', items: 'items' in before ? before.items : [] };
    this.#timer = setTimeout(() => void this.#load(query, null, []), isNow ? 0 : PAUSE_MS);
  }

  /** Loads more results, or again those that failed. Returns false if there are none. */
  more(): boolean {
    const result = this.#results.peek();
    if (!('next' in result) || result.next === null || !this.#query) return false;
    if (!this.#isLoadingMore) void this.#load(this.#query, result.next, result.items);
    this.#isLoadingMore = true;
    return true;
  }

  /** Repeats the search for as many results as are shown, since changes are not pushed. They stay if it fails. */
  refresh(): void {
    const result = this.#results.peek();
    if (result.status !== 'ready' || !this.#query) return;
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
      const { time, kindId, ...filters } = query;
      const { kind = null, status = null } = SEARCH_KINDS.find(({ id }) => id === kindId) ?? {};
      const search = { ...filters, kind, status, ...instantsOf(time, Date.now()), before, limit: PAGE };
      const { items, next } = await loadPages('GET /search', { query: search, signal: stopped }, min);
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      this.#results.value = { status: 'ready', items: [...present, ...items], next };
    } catch (error) {
      if (stopped.aborted) return;
      this.#isLoadingMore = false;
      if (error instanceof ApiError && error.statusCode === 400)
        this.#results.value = { status: 'unsearchable', reason: error.message };
      else if (min === 0)
        this.#results.value = { status: 'failed', error: errorMessage(error), items: present, next: before };
    }
  }
}
