import type { SearchQuery } from './find.ts';
import { KIND_CHOICES } from './kind-choices.ts';

export function readSearch(query: URLSearchParams): SearchQuery {
  const kind = query.get('kind');
  return {
    q: query.get('q') ?? '',
    hubId: query.get('hub'),
    kind: KIND_CHOICES.find((known) => known.kind === kind)?.kind ?? null,
  };
}

export function searchAddress({ q, hubId, kind }: SearchQuery): string {
  const query = new URLSearchParams();
  if (q !== '') query.set('q', q);
  if (hubId !== null) query.set('hub', hubId);
  if (kind !== null) query.set('kind', kind);
  return query.size === 0 ? '/search' : `/search?${query}`;
}
