import {
  ChangeMessageBody,
  ConvertMessageBody,
  HubPage,
  Item,
  Message,
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
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeMessage } from './change-item.ts';
import { convertMessage } from './convert-message.ts';
import { deleteItem } from './delete-item.ts';
import { MESSAGE } from './item-rights.ts';
import { messageView } from './item-view.ts';
import { cursorParameters, messageId } from './items-operation.ts';
import { listReplies } from './list-items.ts';
import { readThread } from './read-mentions.ts';
import { replyToMessage } from './write-item.ts';

/** Routes for messages and replies, from the bot and from users. */
export function messagesRoutes(deps: Deps) {
  return new Elysia({ name: 'messages', prefix: `${WORKSPACE_API_PATH}/messages/:messageId` })
    .patch(
      '',
      async ({ request, params }) => {
        const body = readPatch(ChangeMessageBody, await readJsonBody(request), { noun: 'a message' });
        return changeMessage(deps, callerOf(request), params.messageId, body);
      },
      workspaceOperation({
        operationId: 'changeMessage',
        summary: 'Edit a message',
        description: 'For its author and admins. The text also replaces its blocks.',
        access: 'member',
        parameters: [messageId],
        body: { schema: ChangeMessageBody },
        status: 200,
        response: Message,
        errors: [409],
      }),
    )
    .delete(
      '',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return messageView(await deleteItem(deps, callerOf(request), params.messageId, MESSAGE));
      },
      workspaceOperation({
        operationId: 'deleteMessage',
        summary: 'Delete a message',
        description:
          'For its author and admins. Its content disappears from every view at once. If it has replies, an empty message stays in its place.',
        access: 'member',
        parameters: [messageId],
        status: 200,
        response: Message,
        errors: [400, 413, 415],
      }),
    )
    .get(
      '/replies',
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
      '/replies',
      async ({ request, params, status }) => {
        const body = readFields(WriteMessageBody, await readJsonBody(request), { noun: 'a reply' });
        return status(201, await replyToMessage(deps, callerOf(request), params.messageId, body));
      },
      workspaceOperation({
        operationId: 'replyToMessage',
        summary: 'Reply to a message',
        description: 'Threads are one level deep: a reply cannot have replies.',
        access: 'person',
        parameters: [messageId],
        body: { schema: WriteMessageBody },
        status: 201,
        response: Message,
      }),
    )
    .put(
      '/replies/read',
      async ({ request, params: { messageId } }) => {
        const mark = readFields(ReadThreadBody, await readJsonBody(request), { noun: 'a read marker' });
        return readThread(deps, callerOf(request), { messageId, ...mark });
      },
      workspaceOperation({
        operationId: 'markThreadRead',
        summary: 'Mark a thread as read',
        description:
          'Marks mentions of and replies to the caller in the thread as read, including the message itself. They never become unread again.',
        access: 'person',
        parameters: [messageId],
        body: { schema: ReadThreadBody },
        status: 200,
        response: UnreadMentions,
      }),
    )
    .post(
      '/conversion',
      async ({ request, params, status }) => {
        const body = readFields(ConvertMessageBody, await readJsonBody(request), { noun: 'a conversion' });
        const { item, isNew } = await convertMessage(deps, callerOf(request), params.messageId, body);
        return isNew ? status(201, item) : status(200, item);
      },
      workspaceOperation({
        operationId: 'convertMessage',
        summary: 'Convert a message to a to-do or a note',
        description: 'The new item links back to the message, and the message shows the new item.',
        access: 'person',
        parameters: [messageId],
        body: { schema: ConvertMessageBody },
        status: 201,
        repeated: { status: 200, description: 'The message was already converted: this is the existing item.' },
        response: Item,
      }),
    );
}
