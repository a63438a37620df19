import {
  CreatedMessage,
  CreatedNote,
  CreatedTodo,
  CreateMessageBody,
  CreateNoteBody,
  CreateTodoBody,
  PUBLIC_API_PATH,
} from '@hub/contract';
import { Elysia } from 'elysia';
import { readJsonBody } from '../http/read-body.ts';
import { readFields } from '../http/validate.ts';
import type { LiveDeps } from '../live/live-server.ts';
import { createMessage, createNote, createTodo } from './create-post.ts';
import { created, originOf, publicOperation } from './public-operation.ts';

/** The public API: create-only. */
export function publicApiRoutes(deps: LiveDeps) {
  return new Elysia({ name: 'public-api', prefix: PUBLIC_API_PATH })
    .post(
      '/messages',
      async ({ request, status }) => {
        const body = readFields(CreateMessageBody, await readJsonBody(request), { noun: 'a message' });
        return status(201, created(deps, request, await createMessage(deps, originOf(request), body)));
      },
      publicOperation({
        operationId: 'createMessage',
        summary: 'Create a message',
        scope: 'messages:create',
        body: CreateMessageBody,
        created: CreatedMessage,
      }),
    )
    .post(
      '/notes',
      async ({ request, status }) => {
        const body = readFields(CreateNoteBody, await readJsonBody(request), { noun: 'a note' });
        return status(201, created(deps, request, await createNote(deps, originOf(request), body)));
      },
      publicOperation({
        operationId: 'createNote',
        summary: 'Create a note',
        scope: 'notes:create',
        body: CreateNoteBody,
        created: CreatedNote,
      }),
    )
    .post(
      '/todos',
      async ({ request, status }) => {
        const body = readFields(CreateTodoBody, await readJsonBody(request), { noun: 'a to-do' });
        return status(201, created(deps, request, await createTodo(deps, originOf(request), body)));
      },
      publicOperation({
        operationId: 'createTodo',
        summary: 'Create a to-do',
        scope: 'todos:create',
        body: CreateTodoBody,
        created: CreatedTodo,
      }),
    );
}
