import { servePublic } from '../http/operations/serve.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { LiveDeps } from '../live/live-server.ts';
import { type CreatedPost, createMessage, createNote, createTodo, type PostOrigin } from './create-post.ts';

/** The public API: create-only. */
export function publicApiRoutes(deps: LiveDeps) {
  return servePublic({
    'POST /messages': async ({ context, body }) =>
      created(deps, context, await createMessage(deps, originOf(context), body)),
    'POST /notes': async ({ context, body }) => created(deps, context, await createNote(deps, originOf(context), body)),
    'POST /todos': async ({ context, body }) => created(deps, context, await createTodo(deps, originOf(context), body)),
  });
}

/** Returns the source of a post: the key, address and ID of a request that passed the public gate. */
export function originOf({ key, address, requestId }: RequestContext): PostOrigin {
  if (!key) throw new Error('A route of the public API was reached without its gate');
  return { key, address, requestId };
}

/** Returns the body of the 201, and records the post for the log. */
export function created<Data extends { id: string }>(
  { live }: Pick<LiveDeps, 'live'>,
  context: RequestContext,
  { data, seq }: CreatedPost<Data>,
) {
  const { hubId } = originOf(context).key;
  // The views are counted with the log line, since an event that is not in memory is published a moment after the commit.
  context.posted = { hubId, itemId: data.id, seq, countViews: () => live.reachOf({ hubId, seq }) };
  return { success: true as const, data };
}
