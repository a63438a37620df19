import { serve } from '../../http/operations/serve.ts';
import { instantOf } from '../../platform/time.ts';
import { type SearchDeps, searchItems, searchTerms } from './search-items.ts';

export function searchRoutes(deps: SearchDeps) {
  return serve({
    'GET /search': ({ caller, query: { q, from, to, ...query }, request, context: { reauthorize } }) =>
      searchItems(
        deps,
        caller,
        { ...query, terms: searchTerms(q), from: instantOf(from), to: instantOf(to) },
        { request, reauthorize },
      ),
  });
}
