import {
  ITEM_KINDS,
  Item,
  ItemOrigin,
  MentionPage,
  Page,
  ReadMentionsBody,
  StreamPage,
  UnreadMentions,
  WORKSPACE_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readChoice, readFlag, readItemListQuery, readListQuery } from '../http/read-query.ts';
import { readFields, readNoFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { choice, filter, idInPath, pageParameters, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { listDeleted, restoreItem } from './deletions.ts';
import { ANY_ITEM, readableItem } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { cursorParameters, hubId, originParameters } from './items-operation.ts';
import { listMentions, listStream } from './list-items.ts';
import { messagesRoutes } from './messages.routes.ts';
import { notesRoutes, todosRoutes } from './notes-and-todos.routes.ts';
import { readMentions } from './read-mentions.ts';
import { showOrigin } from './write-item.ts';

const itemId = idInPath('itemId', 'The id of the message, note or to-do.', 'msg');

/** All routes for messages, notes and to-dos. */
export function itemsRoutes(deps: Deps) {
  return new Elysia({ name: 'items' })
    .use(messagesRoutes(deps))
    .use(notesRoutes(deps))
    .use(todosRoutes(deps))
    .use(streamRoutes(deps));
}

/** Routes for items of every kind and from every Hub. */
function streamRoutes(deps: Deps) {
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
        summary: "List all items from the caller's Hubs",
        description:
          'Newest first, including replies. With a filter that matches few items, a page may hold fewer than `limit`; there may be more as long as there is a `next`.',
        access: 'member',
        parameters: [
          ...cursorParameters,
          filter('hubId', 'Only items in this Hub.'),
          choice('kind', 'Only items of this kind.', ITEM_KINDS),
          ...originParameters,
          choice('unread', '`true`: only unread items by others, per Hub and kind.', ['true', 'false']),
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
        summary: 'List mentions and replies',
        description:
          'Items that mention the caller as `@name`, and replies in threads that the caller started or wrote one of the last hundred replies in; in Hubs that the caller may read. Newest first.',
        access: 'user',
        parameters: pageParameters,
        status: 200,
        response: MentionPage,
      }),
    )
    .put(
      '/mentions/read',
      async ({ request }) => {
        const read = readFields(ReadMentionsBody, await readJsonBody(request), { noun: 'a read marker' });
        return readMentions(deps, callerOf(request), read);
      },
      workspaceOperation({
        operationId: 'markMentionsRead',
        summary: 'Mark mentions and replies as read',
        description:
          'A mention outside of threads is also marked as read with its kind in the Hub, and a reply with its thread. It never becomes unread again.',
        access: 'user',
        body: { schema: ReadMentionsBody },
        status: 200,
        response: UnreadMentions,
        errors: [404],
      }),
    )
    .get(
      '/items/:itemId',
      async ({ request, params }) =>
        itemView(await readableItem(deps.store, callerOf(request), params.itemId, ANY_ITEM)),
      workspaceOperation({
        operationId: 'showItem',
        summary: 'Show a message, note or to-do',
        access: 'member',
        parameters: [itemId],
        status: 200,
        response: Item,
      }),
    )
    .post(
      '/items/:itemId/restoration',
      async ({ request, params }) => {
        await readNoFields(request, 'a restoration');
        return itemView(await restoreItem(deps, callerOf(request), params.itemId));
      },
      workspaceOperation({
        operationId: 'restoreItem',
        summary: 'Restore a deleted message, note or to-do',
        description:
          'For its author, the user who deleted it, and admins, until 30 days after the deletion. Its replies, reactions and mentions come back with it. Restoring an item that is not deleted changes nothing.',
        access: 'member',
        parameters: [itemId],
        status: 200,
        response: Item,
        errors: [400, 409, 413, 415],
      }),
    )
    .get(
      '/hubs/:hubId/deleted-items',
      ({ request, params }) => listDeleted(deps, callerOf(request), { ...readListQuery(request), ...params }),
      workspaceOperation({
        operationId: 'listDeletedItems',
        summary: 'List the deleted items of a Hub',
        description:
          'Items of the last 30 days that the caller can restore, with their content, newest item first: those that they wrote or deleted, and all for admins. Posts that were removed with `removePosts` are restored with `undoRemoval` instead.',
        access: 'member',
        parameters: [hubId, ...pageParameters],
        status: 200,
        response: Page(Item),
      }),
    )
    .get(
      '/items/:itemId/origin',
      ({ request, params }) => showOrigin(deps, callerOf(request), params.itemId),
      workspaceOperation({
        operationId: 'showItemOrigin',
        summary: 'Show the origin of a post',
        description: 'The key, the address and the request. Items written by users have no origin.',
        access: 'member',
        parameters: [itemId],
        status: 200,
        response: ItemOrigin,
      }),
    );
}
