import type { Deps } from '../../access/deps.ts';
import { repeated, serve } from '../../http/operations/serve.ts';
import { instantOf } from '../../platform/time.ts';
import { listRemovals, previewRemoval, removePosts, undoRemoval } from './removals.ts';

export function removalsRoutes(deps: Deps) {
  return serve({
    'GET /keys/{keyId}/removals': ({ params, query }) => listRemovals(deps, params.keyId, query),
    'POST /keys/{keyId}/removals': async ({ caller, params, body: { from, to, exceptIds, isPreview } }) => {
      const range = { exceptIds, fromAt: instantOf(from) ?? null, toAt: instantOf(to) ?? null };
      if (isPreview) return repeated(await previewRemoval(deps, params.keyId, range));
      return removePosts(deps, caller, params.keyId, range);
    },
    'DELETE /keys/{keyId}/removals/{removalId}': ({ caller, params }) => undoRemoval(deps, caller, params),
  });
}
