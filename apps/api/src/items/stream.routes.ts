import {
  ITEM_KINDS,
  Item,
  ItemOrigin,
  MentionPage,
  ReadMentionsBody,
  StreamPage,
  UnreadMentions,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readChoice, readFlag, readItemListQuery, readListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { choice, filter, idInPath, pageParameters, workspaceOperation } from '../http/workspace-operation.ts';
import { ANY_ITEM, readableItem } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { originParameters, placeParameters } from './items-operation.ts';
import { listMentions } from './list-mentions.ts';
import { listStream } from './list-stream.ts';
import { readMentions } from './read-mentions.ts';
import { showOrigin } from './show-origin.ts';

const itemId = idInPath('itemId', 'The id of the message, note or to-do.');

/** Items of every kind and from every Hub. */
export function streamRoutes(deps: Deps) {
  return new Elysia({ name: 'stream', prefix: WORKSPACE_API_PATH })
    .get(
      '/stream',
      ({ request }) => {
        const query = readItemListQuery(request, ['hubId', 'kind', 'keyId', 'authorId', 'unread']);
        const { kind, unread, ...rest } = query;
        return listStream(deps, callerOf(request), {
          ...rest,
          kind: readChoice('kind', kind, ITEM_KINDS),
          isUnread: readFlag('unread', unread),
        });
      },
      workspaceOperation({
        operationId: 'listStream',
        summary: 'List everything from all Hubs of the caller',
        description:
          'Newest first, replies too. A page of a rare filter may hold less than `limit`; as long as there is a `next`, there may be more.',
        access: 'member',
        parameters: [
          ...placeParameters,
          filter('hubId', 'Only what is in this Hub.'),
          choice('kind', 'Only items of this kind.', ITEM_KINDS),
          ...originParameters,
          choice('unread', '`true`: only what others wrote since the caller read its kind in the Hub.', [
            'true',
            'false',
          ]),
        ],
        status: 200,
        response: StreamPage,
        errors: [404],
      }),
    )
    .get(
      '/mentions',
      ({ request }) => listMentions(deps, callerOf(request), readListQuery(request)),
      workspaceOperation({
        operationId: 'listMentions',
        summary: 'List what is addressed to the caller',
        description:
          'What names him as `@name`, and replies in threads that he began or among whose last hundred replies he wrote; in Hubs that the caller may read. Newest first.',
        access: 'person',
        parameters: pageParameters,
        status: 200,
        response: MentionPage,
      }),
    )
    .put(
      '/mentions/read',
      async ({ request }) => {
        const read = readFields(ReadMentionsBody, await readJsonBody(request), { noun: 'a mark' });
        return readMentions(deps, callerOf(request), read);
      },
      workspaceOperation({
        operationId: 'markMentionsRead',
        summary: 'Note what the caller has read of what is addressed to him',
        description:
          'What names him outside of threads is also read with its kind of the Hub, and a reply with its thread. It is never unread again.',
        access: 'person',
        body: { schema: ReadMentionsBody },
        status: 200,
        response: UnreadMentions,
        errors: [404],
      }),
    )
    .get(
      '/items/:itemId',
      async ({ request, params }) => itemView(await readableItem(deps, callerOf(request), params.itemId, ANY_ITEM)),
      workspaceOperation({
        operationId: 'showItem',
        summary: 'Show a message, note or to-do',
        access: 'member',
        parameters: [itemId],
        status: 200,
        response: Item,
      }),
    )
    .get(
      '/items/:itemId/origin',
      ({ request, params }) => showOrigin(deps, callerOf(request), params.itemId),
      workspaceOperation({
        operationId: 'showItemOrigin',
        summary: 'Show where a post came from',
        description: 'The key, the address and the request. There is none of what a person wrote.',
        access: 'member',
        parameters: [itemId],
        status: 200,
        response: ItemOrigin,
      }),
    );
}
