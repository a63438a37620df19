import { AVATAR_TYPES, AvatarRef, Page, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readAvatar } from '../http/read-avatar.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readListQuery, readQuery } from '../http/read-query.ts';
import { sendAvatar } from '../http/send-avatar.ts';
import { callerOf, userOf } from '../http/workspace-gate.ts';
import { filter, idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { botOwner, userOwner } from './avatar-owner.ts';
import { findAvatar } from './find-avatar.ts';
import { listAvatars } from './list-avatars.ts';
import { removeAvatar } from './remove-avatar.ts';
import { setAvatar } from './set-avatar.ts';

const version = filter('v', 'The version of the picture: then it is kept by browsers for good.');
const removing = { status: 200, response: AvatarRef, errors: [400, 404, 413, 415] } as const;
const setting = {
  status: 200,
  response: AvatarRef,
  body: { schema: bytesOf('image/*'), mediaTypes: AVATAR_TYPES },
} as const;
const WHAT =
  'A PNG, JPEG or WebP of at most 256 KiB and 1024 × 1024 pixels that does not move, sent as it is; its bytes decide. It is kept as it was sent, with whatever else the file holds.';

/** As OpenAPI 3.1 tells of bytes: without a type. */
function bytesOf(mediaType: string) {
  return Type.Unsafe<Uint8Array>({ contentMediaType: mediaType });
}

/** What shows a picture: the answer is of bytes, which are no JSON to be checked. */
function showing(
  operationId: string,
  summary: string,
  parameters: Parameters<typeof workspaceOperation>[0]['parameters'] = [],
) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId,
    summary,
    access: 'member',
    status: 200,
    mediaType: 'image/*',
    response: bytesOf('image/*'),
    parameters: [...parameters, version],
    errors: [404],
  });
  return { detail, beforeHandle, parse };
}

/** The pictures of people and of the bot. */
export function avatarsRoutes(deps: Deps) {
  return new Elysia({ name: 'pictures', prefix: WORKSPACE_API_PATH })
    .get(
      '/pictures',
      ({ request }) => listAvatars(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listPictures',
        summary: 'List who has a picture',
        description:
          'The caller, the people with whom he shares a Hub, and the bot; for admins all. Whoever is not listed has none, and is shown by initials.',
        access: 'member',
        parameters: pageParameters,
        status: 200,
        response: Page(AvatarRef),
      }),
    )
    .get(
      '/people/:personId/picture',
      async ({ request, params: { personId } }) => {
        readQuery(request, ['v']);
        return sendAvatar(request, await findAvatar(deps, callerOf(request), personId));
      },
      showing('showPicture', 'Show the picture of a person', [idInPath('personId', 'The id of the person.')]),
    )
    .put(
      '/me/picture',
      async ({ request }) => {
        const avatar = await readAvatar(request);
        const caller = userOf(request);
        return setAvatar(deps, caller, userOwner(caller.user), avatar);
      },
      workspaceOperation({
        ...setting,
        operationId: 'setPicture',
        summary: 'Choose the own picture',
        description: WHAT,
        access: 'person',
      }),
    )
    .delete(
      '/me/picture',
      async ({ request }) => {
        await readNoFields(request, 'removing a picture');
        const caller = userOf(request);
        return removeAvatar(deps, caller, userOwner(caller.user));
      },
      workspaceOperation({
        ...removing,
        operationId: 'removePicture',
        summary: 'Remove the own picture',
        access: 'person',
      }),
    )
    .use(botRoutes(deps));
}

function botRoutes(deps: Deps) {
  return new Elysia({ name: 'bot-picture', prefix: '/workspace/bot-picture' })
    .get(
      '',
      async ({ request }) => {
        readQuery(request, ['v']);
        const { id } = await botOwner(deps);
        return sendAvatar(request, await findAvatar(deps, callerOf(request), id));
      },
      showing('showBotPicture', 'Show the picture of the bot'),
    )
    .put(
      '',
      async ({ request }) => {
        const avatar = await readAvatar(request);
        return setAvatar(deps, callerOf(request), await botOwner(deps), avatar);
      },
      workspaceOperation({
        ...setting,
        operationId: 'setBotPicture',
        summary: 'Choose the picture of the bot',
        description: WHAT,
      }),
    )
    .delete(
      '',
      async ({ request }) => {
        await readNoFields(request, 'removing a picture');
        return removeAvatar(deps, callerOf(request), await botOwner(deps));
      },
      workspaceOperation({ ...removing, operationId: 'removeBotPicture', summary: 'Remove the picture of the bot' }),
    );
}
