import { AVATAR_TYPES, AvatarRef, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readListQuery, readQuery } from '../http/read-query.ts';
import { isAmong } from '../http/static-file.ts';
import { readNoFields } from '../http/validate.ts';
import type { AvatarRecord } from '../storage/avatar-store.ts';
import { callerOf, userOf } from '../workspace-api/workspace-gate.ts';
import { filter, idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { findAvatar, listAvatars, removeAvatar, setAvatar } from './avatars.ts';
import { readAvatar } from './read-avatar.ts';

const version = filter('v', 'The version of the avatar. With it, browsers cache the image permanently.');
const removing = { response: AvatarRef, errors: [400, 404, 413, 415] } as const;
const setting = {
  response: AvatarRef,
  body: { schema: bytesOf('image/*'), mediaTypes: AVATAR_TYPES },
} as const;
const IMAGE_RULES =
  'A still PNG, JPEG or WebP image of at most 256 KiB and 1024 × 1024 pixels as the body. The type is detected from its bytes. The file is stored unchanged, including its metadata.';

/** Describes binary content as OpenAPI 3.1 does: without a type. */
function bytesOf(mediaType: string) {
  return Type.Unsafe<Uint8Array>({ contentMediaType: mediaType });
}

/** Options of a route that sends an image: the response is bytes, which are not validated as JSON. */
function showing(
  operationId: string,
  summary: string,
  parameters: Parameters<typeof workspaceOperation>[0]['parameters'] = [],
) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId,
    summary,
    access: 'member',
    mediaType: 'image/*',
    response: bytesOf('image/*'),
    parameters: [...parameters, version],
    errors: [404],
  });
  return { detail, beforeHandle, parse };
}

/** Routes for the avatars of users and of the bot. */
export function avatarsRoutes(deps: Deps) {
  return new Elysia({ name: 'avatars', prefix: WORKSPACE_API_PATH })
    .get(
      '/avatars',
      ({ request }) => listAvatars(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listAvatars',
        summary: 'List avatars',
        description:
          'Avatars of the caller, of users who share a Hub with the caller, and of the bot; for admins of all users. Users who are not listed have no avatar and are shown with initials.',
        access: 'member',
        parameters: pageParameters,
        response: Page(AvatarRef),
      }),
    )
    .get(
      '/users/:userId/avatar',
      async ({ request, params: { userId } }) => {
        readQuery(request, ['v']);
        return sendAvatar(request, await findAvatar(deps, callerOf(request), userId));
      },
      showing('showAvatar', "Show a user's avatar", [idInPath('userId', 'The id of the user.', 'usr')]),
    )
    .put(
      '/me/avatar',
      async ({ request }) => {
        const avatar = await readAvatar(request);
        return setAvatar(deps, userOf(request), 'user', avatar);
      },
      workspaceOperation({
        ...setting,
        operationId: 'setAvatar',
        summary: 'Set your avatar',
        description: IMAGE_RULES,
        access: 'user',
      }),
    )
    .delete(
      '/me/avatar',
      async ({ request }) => {
        await readNoFields(request, 'removing an avatar');
        return removeAvatar(deps, userOf(request), 'user');
      },
      workspaceOperation({
        ...removing,
        operationId: 'removeAvatar',
        summary: 'Remove your avatar',
        access: 'user',
      }),
    )
    .use(botRoutes(deps));
}

function botRoutes(deps: Deps) {
  return new Elysia({ name: 'bot-avatar', prefix: '/workspace/bot-avatar' })
    .get(
      '',
      async ({ request }) => {
        readQuery(request, ['v']);
        const { botId } = await deps.store.workspace.find();
        return sendAvatar(request, await findAvatar(deps, callerOf(request), botId));
      },
      showing('showBotAvatar', 'Show the avatar of the bot'),
    )
    .put(
      '',
      async ({ request }) => {
        const avatar = await readAvatar(request);
        return setAvatar(deps, callerOf(request), 'bot', avatar);
      },
      workspaceOperation({
        ...setting,
        operationId: 'setBotAvatar',
        summary: 'Set the avatar of the bot',
        description: IMAGE_RULES,
      }),
    )
    .delete(
      '',
      async ({ request }) => {
        await readNoFields(request, 'removing an avatar');
        return removeAvatar(deps, callerOf(request), 'bot');
      },
      workspaceOperation({ ...removing, operationId: 'removeBotAvatar', summary: 'Remove the avatar of the bot' }),
    );
}

/**
 * Cached for a year without revalidation: the version in the URL identifies the bytes. Private, because it needs a
 * session.
 */
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
