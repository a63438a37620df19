import type { Deps } from '../../access/deps.ts';
import { serve } from '../../http/operations/serve.ts';
import { isAmong } from '../../http/static-file.ts';
import type { AvatarRecord } from '../../storage/avatars.ts';
import { findAvatar, listAvatars, readAvatar, removeAvatar, setAvatar } from './avatars.ts';

/** Routes for the avatars of users and of the bot. */
export function avatarsRoutes(deps: Deps) {
  return serve({
    'GET /avatars': ({ caller, query }) => listAvatars(deps, caller, query),
    'GET /users/{userId}/avatar': async ({ caller, params, request }) =>
      sendAvatar(request, await findAvatar(deps, caller, params.userId)),
    'PUT /me/avatar': async ({ caller, request }) => setAvatar(deps, caller, 'user', await readAvatar(request)),
    'DELETE /me/avatar': ({ caller }) => removeAvatar(deps, caller, 'user'),
    'GET /workspace/bot-avatar': async ({ caller, request }) => {
      const { botId } = await deps.store.workspace.find();
      return sendAvatar(request, await findAvatar(deps, caller, botId));
    },
    'PUT /workspace/bot-avatar': async ({ caller, request }) =>
      setAvatar(deps, caller, 'bot', await readAvatar(request)),
    'DELETE /workspace/bot-avatar': ({ caller }) => removeAvatar(deps, caller, 'bot'),
  });
}

/** Cached for a year: the version in the URL identifies the bytes. Private, because it needs a session. */
const IMMUTABLE = 'private, max-age=31536000, immutable';
const REVALIDATED = 'private, no-cache';

/** Returns an avatar: cached permanently if requested by version; 304 for a matching tag. */
function sendAvatar(request: Request, { type, bytes, version }: AvatarRecord): Response {
  const isByVersion = new URL(request.url).searchParams.get('v') === version;
  const headers = {
    'content-type': type,
    'cache-control': isByVersion ? IMMUTABLE : REVALIDATED,
    etag: `"${version}"`,
    'content-disposition': 'inline',
  };
  if (isAmong(headers.etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers });
  return new Response(new Uint8Array(bytes), { headers });
}
