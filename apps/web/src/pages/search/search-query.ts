import type { Item, TodoStatus } from '@hub/contract';
import { KIND_CHOICES } from '../../lib/item-kinds.ts';
import { withParameters } from '../../lib/router/query.ts';
import { isDay, localDay, startOfDay } from '../../lib/time/local-day.ts';

/** A search with its filters, which are kept in the URL. */
export interface SearchQuery {
  q: string;
  hubId: string | null;
  kind: Item['kind'] | null;
  status: TodoStatus | null;
  authorId: string | null;
  keyId: string | null;
  time: SearchTime | null;
}

/** Reads the search from the URL. */
export function readSearch(query: URLSearchParams): SearchQuery {
  const choice = SEARCH_KINDS.find(({ id }) => id === query.get('kind'));
  return {
    q: query.get('q') ?? '',
    hubId: query.get('hub'),
    kind: choice?.kind ?? null,
    status: choice?.status ?? null,
    authorId: query.get('author'),
    keyId: query.get('key'),
    time: readTime(query.get('time')),
  };
}

export function searchUrl(search: SearchQuery): string {
  const query = withParameters(new URLSearchParams(), {
    q: search.q,
    hub: search.hubId,
    kind: findKind(search)?.id,
    author: search.authorId,
    key: search.keyId,
    time: search.time && writeTime(search.time),
  });
  return query.size === 0 ? '/search' : `/search?${query}`;
}

interface SearchKind {
  id: string;
  name: string;
  kind: Item['kind'];
  status: TodoStatus | null;
}

/** The kinds to search for, with open and completed to-dos. */
export const SEARCH_KINDS: readonly SearchKind[] = [
  ...KIND_CHOICES.map(({ kind, label }) => ({ id: kind, name: label, kind, status: null })),
  { id: 'todo-open', name: 'Open to-dos', kind: 'todo', status: 'open' },
  { id: 'todo-done', name: 'Completed to-dos', kind: 'todo', status: 'done' },
];

export function findKind(query: { kind: string | null; status: string | null }): SearchKind | undefined {
  return SEARCH_KINDS.find(({ kind, status }) => kind === query.kind && status === query.status);
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
