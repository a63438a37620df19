import {
  HubPage,
  Message,
  Note,
  Todo,
  WORKSPACE_API_PATH,
  WriteMessageBody,
  WriteNoteBody,
  WriteTodoBody,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readFields } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { messageView, noteView, todoView } from './item-view.ts';
import { cursorParameters, hubId, listParameters, readOriginQuery, readTodoQuery } from './items-operation.ts';
import { listHubItems } from './list-items.ts';
import { writeMessage, writeNote, writeTodo } from './write-item.ts';

/** The items of one Hub. */
export function hubItemsRoutes(deps: Deps) {
  return new Elysia({ name: 'hub-items', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId` })
    .get(
      '/messages',
      ({ request, params }) => {
        const query = { ...readOriginQuery(request), hubId: params.hubId, kind: 'message' as const };
        return listHubItems(deps, callerOf(request), query, messageView);
      },
      workspaceOperation({
        operationId: 'listMessages',
        summary: 'List the messages of a Hub',
        description: 'Newest first, without replies. Subscribe with the `seq` and `epoch` of the page to miss nothing.',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...listParameters.message],
        status: 200,
        response: HubPage(Message),
      }),
    )
    .post(
      '/messages',
      async ({ request, params, status }) => {
        const body = readFields(WriteMessageBody, await readJsonBody(request), { noun: 'a message' });
        return status(201, await writeMessage(deps, callerOf(request), params.hubId, body));
      },
      workspaceOperation({
        operationId: 'writeMessage',
        summary: 'Write a message',
        access: 'person',
        parameters: [hubId],
        body: { schema: WriteMessageBody },
        status: 201,
        response: Message,
      }),
    )
    .get(
      '/notes',
      ({ request, params }) => {
        const query = { ...readOriginQuery(request), hubId: params.hubId, kind: 'note' as const };
        return listHubItems(deps, callerOf(request), query, noteView);
      },
      workspaceOperation({
        operationId: 'listNotes',
        summary: 'List the notes of a Hub',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...listParameters.note],
        status: 200,
        response: HubPage(Note),
      }),
    )
    .post(
      '/notes',
      async ({ request, params, status }) => {
        const body = readFields(WriteNoteBody, await readJsonBody(request), { noun: 'a note' });
        return status(201, await writeNote(deps, callerOf(request), params.hubId, body));
      },
      workspaceOperation({
        operationId: 'writeNote',
        summary: 'Write a note',
        access: 'person',
        parameters: [hubId],
        body: { schema: WriteNoteBody },
        status: 201,
        response: Note,
      }),
    )
    .get(
      '/todos',
      ({ request, params }) => {
        const query = { ...readTodoQuery(request), hubId: params.hubId, kind: 'todo' as const };
        return listHubItems(deps, callerOf(request), query, todoView);
      },
      workspaceOperation({
        operationId: 'listTodos',
        summary: 'List the to-dos of a Hub',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...listParameters.todo],
        status: 200,
        response: HubPage(Todo),
      }),
    )
    .post(
      '/todos',
      async ({ request, params, status }) => {
        const body = readFields(WriteTodoBody, await readJsonBody(request), { noun: 'a to-do' });
        return status(201, await writeTodo(deps, callerOf(request), params.hubId, body));
      },
      workspaceOperation({
        operationId: 'writeTodo',
        summary: 'Write a to-do',
        access: 'person',
        parameters: [hubId],
        body: { schema: WriteTodoBody },
        status: 201,
        response: Todo,
      }),
    );
}
