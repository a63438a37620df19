import {
  ChangeMessageBody,
  ConvertMessageBody,
  HubPage,
  Item,
  Message,
  Reaction,
  ReadThreadBody,
  UnreadMentions,
  WORKSPACE_API_PATH,
  WriteMessageBody,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readItemListQuery } from '../http/read-query.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { editItem } from './change-item.ts';
import { convertMessage } from './convert-message.ts';
import { deleteItem } from './deletions.ts';
import { MESSAGE } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { cursorParameters, hubId, originParameters, readOriginQuery } from './items-operation.ts';
import { listHubItems, listReplies } from './list-items.ts';
import { reactToMessage } from './react-to-message.ts';
import { readThread } from './read-mentions.ts';
import { replyToMessage, writeItem } from './write-item.ts';

const messageId = idInPath('messageId', 'The id of the message, which may be a reply.', 'msg');
const emoji = {
  ...messageId,
  name: 'emoji',
  description: 'One emoji, percent-encoded.',
  schema: Reaction.properties.emoji,
};

const oneMessage = { access: 'member', parameters: [messageId], status: 200, response: Message } as const;
const reaction = { access: 'user', parameters: [messageId, emoji], status: 200, response: Message } as const;

/** Routes for messages and replies, from the bot and from users. */
export function messagesRoutes(deps: Deps) {
  return new Elysia({ name: 'messages', prefix: WORKSPACE_API_PATH })
    .get(
      '/hubs/:hubId/messages',
      ({ request, params }) => {
        const query = { ...readOriginQuery(request), hubId: params.hubId, kind: 'message' as const };
        return listHubItems(deps, callerOf(request), query, messageView);
      },
      workspaceOperation({
        operationId: 'listMessages',
        summary: 'List the messages of a Hub',
        description: 'Newest first, without replies. Subscribe with the `seq` and `epoch` of the page to miss nothing.',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...originParameters],
        status: 200,
        response: HubPage(Message),
      }),
    )
    .post(
      '/hubs/:hubId/messages',
      async ({ request, params, status }) => {
        const body = readFields(WriteMessageBody, await readJsonBody(request), { noun: 'a message' });
        return status(201, messageView(await writeItem(deps, callerOf(request), params.hubId, 'message', body)));
      },
      workspaceOperation({
        operationId: 'writeMessage',
        summary: 'Write a message',
        access: 'user',
        parameters: [hubId],
        body: { schema: WriteMessageBody },
        status: 201,
        response: Message,
      }),
    )
    .patch(
      '/messages/:messageId',
      async ({ request, params }) => {
        const body = readPatch(ChangeMessageBody, await readJsonBody(request), { noun: 'a message' });
        return messageView(await editItem(deps, callerOf(request), params.messageId, MESSAGE, body));
      },
      workspaceOperation({
        ...oneMessage,
        operationId: 'changeMessage',
        summary: 'Edit a message',
        description: 'For its author only. Posts by a key cannot be edited.',
        body: { schema: ChangeMessageBody },
        errors: [409],
      }),
    )
    .delete(
      '/messages/:messageId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return messageView(await deleteItem(deps, callerOf(request), params.messageId, MESSAGE));
      },
      workspaceOperation({
        ...oneMessage,
        operationId: 'deleteMessage',
        summary: 'Delete a message',
        description:
          'For its author and admins. Its content disappears from every view at once, and can be restored for 30 days. If it has replies, an empty message stays in its place.',
        errors: [400, 413, 415],
      }),
    )
    .get(
      '/messages/:messageId/replies',
      ({ request, params: { messageId } }) =>
        listReplies(deps, callerOf(request), { ...readItemListQuery(request), messageId }),
      workspaceOperation({
        operationId: 'listReplies',
        summary: 'List the replies to a message',
        description: 'Newest first.',
        access: 'member',
        parameters: [messageId, ...cursorParameters],
        status: 200,
        response: HubPage(Message),
      }),
    )
    .post(
      '/messages/:messageId/replies',
      async ({ request, params, status }) => {
        const body = readFields(WriteMessageBody, await readJsonBody(request), { noun: 'a reply' });
        return status(201, messageView(await replyToMessage(deps, callerOf(request), params.messageId, body)));
      },
      workspaceOperation({
        operationId: 'replyToMessage',
        summary: 'Reply to a message',
        description: 'Threads are one level deep: a reply cannot have replies.',
        access: 'user',
        parameters: [messageId],
        body: { schema: WriteMessageBody },
        status: 201,
        response: Message,
      }),
    )
    .put(
      '/messages/:messageId/replies/read',
      async ({ request, params: { messageId } }) => {
        const mark = readFields(ReadThreadBody, await readJsonBody(request), { noun: 'a read marker' });
        return readThread(deps, callerOf(request), { messageId, ...mark });
      },
      workspaceOperation({
        operationId: 'markThreadRead',
        summary: 'Mark a thread as read',
        description:
          'Marks mentions of and replies to the caller in the thread as read, including the message itself. They never become unread again.',
        access: 'user',
        parameters: [messageId],
        body: { schema: ReadThreadBody },
        status: 200,
        response: UnreadMentions,
      }),
    )
    .post(
      '/messages/:messageId/conversion',
      async ({ request, params, status }) => {
        const body = readFields(ConvertMessageBody, await readJsonBody(request), { noun: 'a conversion' });
        const { item, isNew } = await convertMessage(deps, callerOf(request), params.messageId, body);
        return isNew ? status(201, item) : status(200, item);
      },
      workspaceOperation({
        operationId: 'convertMessage',
        summary: 'Convert a message to a to-do or a note',
        description: 'The new item links back to the message, and the message shows the new item.',
        access: 'user',
        parameters: [messageId],
        body: { schema: ConvertMessageBody },
        status: 201,
        repeated: { status: 200, description: 'The message was already converted: this is the existing item.' },
        response: Item,
      }),
    )
    .put(
      '/messages/:messageId/reactions/:emoji',
      async ({ request, params }) => {
        await readNoFields(request, 'a reaction');
        return messageView(await reactToMessage(deps, callerOf(request), { ...params, isOn: true }));
      },
      workspaceOperation({
        ...reaction,
        operationId: 'reactToMessage',
        summary: 'React to a message',
        description: 'Reacting twice with the same emoji changes nothing.',
        errors: [400, 409, 413, 415],
      }),
    )
    .delete(
      '/messages/:messageId/reactions/:emoji',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return messageView(await reactToMessage(deps, callerOf(request), { ...params, isOn: false }));
      },
      workspaceOperation({
        ...reaction,
        operationId: 'unreactToMessage',
        summary: 'Remove a reaction',
        description: "Only the caller's own. Removing a reaction that does not exist changes nothing.",
        errors: [400, 413, 415],
      }),
    );
}
