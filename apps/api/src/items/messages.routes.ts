import { HubPage, Message, WORKSPACE_API_PATH, WriteMessageBody } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { readFields } from '../http/read-fields.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { readItemListQuery } from '../http/read-query.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { workspaceOperation } from '../http/workspace-operation.ts';
import { messageId, placeParameters } from './items-operation.ts';
import { listReplies } from './list-replies.ts';
import { replyToMessage } from './reply-to-message.ts';

/** What can be done with a message, be it of the bot or of a person, and with a reply. */
export function messagesRoutes(deps: Deps) {
  return new Elysia({ name: 'messages', prefix: `${WORKSPACE_API_PATH}/messages/:messageId` })
    .get(
      '/replies',
      ({ request, params: { messageId } }) =>
        listReplies(deps, callerOf(request), { ...readItemListQuery(request), messageId }),
      workspaceOperation({
        operationId: 'listReplies',
        summary: 'List the replies to a message',
        description: 'Newest first.',
        access: 'member',
        parameters: [messageId, ...placeParameters],
        status: 200,
        answer: HubPage(Message),
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
        description: 'Threads are one level deep: a reply takes none itself.',
        access: 'person',
        parameters: [messageId],
        body: { schema: WriteMessageBody },
        status: 201,
        answer: Message,
      }),
    );
}
