import type { SearchQuery } from './find.ts';
import { findKind, SEARCH_KINDS } from './search-kinds.ts';
import { readTime, writeTime } from './search-times.ts';

/** Reads the search from the URL. */
export function readSearch(query: URLSearchParams): SearchQuery {
  const found = SEARCH_KINDS.find(({ id }) => id === query.get('kind'));
  return {
    q: query.get('q') ?? '',
    hubId: query.get('hub'),
    kind: found?.kind ?? null,
    status: found?.status ?? null,
    authorId: query.get('author'),
    keyId: query.get('key'),
    time: readTime(query.get('time')),
  };
}

export function searchUrl(asked: SearchQuery): string {
  const query = new URLSearchParams();
  const values = {
    q: asked.q,
    hub: asked.hubId,
    kind: findKind(asked)?.id,
    author: asked.authorId,
    key: asked.keyId,
    time: asked.time && writeTime(asked.time),
  };
  for (const [name, value] of Object.entries(values)) if (value) query.set(name, value);
  return query.size === 0 ? '/search' : `/search?${query}`;
}
