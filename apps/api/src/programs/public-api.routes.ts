import { servePublic } from '../http/operations/serve.ts';
import { contextOf, keyOf } from '../http/request-context.ts';
import type { LiveDeps } from '../live/live-server.ts';
import { type CreatedPost, createMessage, createNote, createTodo, type PostOrigin } from './create-post.ts';

/** The public API: create-only. */
export function publicApiRoutes(deps: LiveDeps) {
  return servePublic({
    'POST /messages': async ({ request, body }) =>
      created(deps, request, await createMessage(deps, originOf(request), body)),
    'POST /notes': async ({ request, body }) => created(deps, request, await createNote(deps, originOf(request), body)),
    'POST /todos': async ({ request, body }) => created(deps, request, await createTodo(deps, originOf(request), body)),
  });
}

/** Returns the source of a post: the key, address and ID of a request that passed the public gate. */
export function originOf(request: Request): PostOrigin {
  const { address, requestId } = contextOf(request);
  return { key: keyOf(request), address, requestId };
}

/** Returns the body of the 201, and records the post for the log. */
export function created<Data extends { id: string }>(
  { live }: Pick<LiveDeps, 'live'>,
  request: Request,
  { data, seq }: CreatedPost<Data>,
) {
  const { hubId } = keyOf(request);
  contextOf(request).posted = {
    hubId,
    itemId: data.id,
    seq,
    // Read with the log line, since an event that is not in memory is published a moment after the commit.
    get liveViews() {
      return live.reachOf({ hubId, seq });
    },
  };
  return { success: true as const, data };
}
