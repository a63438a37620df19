import { Page, PICTURE_TYPES, PictureRef, WORKSPACE_API_PATH } from '@hub/contract';
import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readNoFields } from '../http/read-no-fields.ts';
import { readPicture } from '../http/read-picture.ts';
import { readListQuery, readQuery } from '../http/read-query.ts';
import { sendPicture } from '../http/send-picture.ts';
import { callerOf, personOf } from '../http/workspace-gate.ts';
import { filter, idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { findPicture } from './find-picture.ts';
import { listPictures } from './list-pictures.ts';
import { botOwner, personOwner } from './picture-owner.ts';
import { removePicture } from './remove-picture.ts';
import { setPicture } from './set-picture.ts';

const version = filter('v', 'The version of the picture: then it is kept by browsers for good.');
const removing = { status: 200, answer: PictureRef, refusals: [400, 404, 413, 415] } as const;
const setting = {
  status: 200,
  answer: PictureRef,
  body: { schema: bytesOf('image/*'), mediaTypes: PICTURE_TYPES },
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
    answer: bytesOf('image/*'),
    parameters: [...parameters, version],
    refusals: [404],
  });
  return { detail, beforeHandle, parse };
}

/** The pictures of people and of the bot. */
export function picturesRoutes(deps: Deps) {
  return new Elysia({ name: 'pictures', prefix: WORKSPACE_API_PATH })
    .get(
      '/pictures',
      ({ request }) => listPictures(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listPictures',
        summary: 'List who has a picture',
        description:
          'The caller, the people with whom he shares a Hub, and the bot; for admins all. Whoever is not listed has none, and is shown by initials.',
        access: 'member',
        parameters: pageParameters,
        status: 200,
        answer: Page(PictureRef),
      }),
    )
    .get(
      '/people/:personId/picture',
      async ({ request, params: { personId } }) => {
        readQuery(request, ['v']);
        return sendPicture(request, await findPicture(deps, callerOf(request), personId));
      },
      showing('showPicture', 'Show the picture of a person', [idInPath('personId', 'The id of the person.')]),
    )
    .put(
      '/me/picture',
      async ({ request }) => {
        const picture = await readPicture(request);
        const caller = personOf(request);
        return setPicture(deps, caller, personOwner(caller.person), picture);
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
        const caller = personOf(request);
        return removePicture(deps, caller, personOwner(caller.person));
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
        return sendPicture(request, await findPicture(deps, callerOf(request), id));
      },
      showing('showBotPicture', 'Show the picture of the bot'),
    )
    .put(
      '',
      async ({ request }) => {
        const picture = await readPicture(request);
        return setPicture(deps, callerOf(request), await botOwner(deps), picture);
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
        return removePicture(deps, callerOf(request), await botOwner(deps));
      },
      workspaceOperation({ ...removing, operationId: 'removeBotPicture', summary: 'Remove the picture of the bot' }),
    );
}
