import {
  ChangeNoteBody,
  ChangeTodoBody,
  HubPage,
  Note,
  StreamPage,
  Todo,
  WORKSPACE_API_PATH,
  WriteNoteBody,
  WriteTodoBody,
} from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readFields, readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { filter, idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { editItem } from './change-item.ts';
import { deleteItem } from './deletions.ts';
import { NOTE, TO_DO } from './item-rights.ts';
import { noteView, todoView } from './item-view.ts';
import {
  cursorParameters,
  hubId,
  originParameters,
  readOriginQuery,
  readTodoQuery,
  todoParameters,
} from './items-operation.ts';
import { listHubItems, listTodos } from './list-items.ts';
import { writeItem } from './write-item.ts';

const noteId = idInPath('noteId', 'The id of the note.', 'note');
const todoId = idInPath('todoId', 'The id of the to-do.', 'todo');

const oneNote = { access: 'member', parameters: [noteId], status: 200, response: Note } as const;
const oneTodo = { access: 'member', parameters: [todoId], status: 200, response: Todo } as const;

/** Routes for notes. Every member of the Hub can edit and delete them. */
export function notesRoutes(deps: Deps) {
  return new Elysia({ name: 'notes', prefix: WORKSPACE_API_PATH })
    .get(
      '/hubs/:hubId/notes',
      ({ request, params }) => {
        const query = { ...readOriginQuery(request), hubId: params.hubId, kind: 'note' as const };
        return listHubItems(deps, callerOf(request), query, noteView);
      },
      workspaceOperation({
        operationId: 'listNotes',
        summary: 'List the notes of a Hub',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...originParameters],
        status: 200,
        response: HubPage(Note),
      }),
    )
    .post(
      '/hubs/:hubId/notes',
      async ({ request, params, status }) => {
        const body = readFields(WriteNoteBody, await readJsonBody(request), { noun: 'a note' });
        return status(201, noteView(await writeItem(deps, callerOf(request), params.hubId, 'note', body)));
      },
      workspaceOperation({
        operationId: 'writeNote',
        summary: 'Write a note',
        access: 'user',
        parameters: [hubId],
        body: { schema: WriteNoteBody },
        status: 201,
        response: Note,
      }),
    )
    .patch(
      '/notes/:noteId',
      async ({ request, params }) => {
        const body = readPatch(ChangeNoteBody, await readJsonBody(request), { noun: 'a note' });
        return noteView(await editItem(deps, callerOf(request), params.noteId, NOTE, body));
      },
      workspaceOperation({
        ...oneNote,
        operationId: 'changeNote',
        summary: 'Edit a note',
        body: { schema: ChangeNoteBody },
        errors: [409],
      }),
    )
    .delete(
      '/notes/:noteId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return noteView(await deleteItem(deps, callerOf(request), params.noteId, NOTE));
      },
      workspaceOperation({
        ...oneNote,
        operationId: 'deleteNote',
        summary: 'Delete a note',
        errors: [400, 413, 415],
      }),
    );
}

/** Routes for to-dos. Every member of the Hub can edit, complete and delete them. */
export function todosRoutes(deps: Deps) {
  return new Elysia({ name: 'todos', prefix: WORKSPACE_API_PATH })
    .get(
      '/hubs/:hubId/todos',
      ({ request, params }) => {
        const query = { ...readTodoQuery(request), hubId: params.hubId, kind: 'todo' as const };
        return listHubItems(deps, callerOf(request), query, todoView);
      },
      workspaceOperation({
        operationId: 'listTodos',
        summary: 'List the to-dos of a Hub',
        access: 'member',
        parameters: [hubId, ...cursorParameters, ...todoParameters],
        status: 200,
        response: HubPage(Todo),
      }),
    )
    .post(
      '/hubs/:hubId/todos',
      async ({ request, params, status }) => {
        const body = readFields(WriteTodoBody, await readJsonBody(request), { noun: 'a to-do' });
        return status(201, todoView(await writeItem(deps, callerOf(request), params.hubId, 'todo', body)));
      },
      workspaceOperation({
        operationId: 'writeTodo',
        summary: 'Write a to-do',
        access: 'user',
        parameters: [hubId],
        body: { schema: WriteTodoBody },
        status: 201,
        response: Todo,
      }),
    )
    .get(
      '/todos',
      ({ request }) => listTodos(deps, callerOf(request), readTodoQuery(request, ['hubId'])),
      workspaceOperation({
        operationId: 'listMyTodos',
        summary: 'List to-dos across Hubs',
        description: 'From all Hubs that the caller may read, newest first. `assigneeId=me` finds their own.',
        access: 'member',
        parameters: [...cursorParameters, filter('hubId', 'Only to-dos in this Hub.'), ...todoParameters],
        status: 200,
        response: StreamPage,
        errors: [404],
      }),
    )
    .patch(
      '/todos/:todoId',
      async ({ request, params }) => {
        const body = readPatch(ChangeTodoBody, await readJsonBody(request), { noun: 'a to-do' });
        return todoView(await editItem(deps, callerOf(request), params.todoId, TO_DO, body));
      },
      workspaceOperation({
        ...oneTodo,
        operationId: 'changeTodo',
        summary: 'Edit, assign, complete or reopen a to-do',
        body: { schema: ChangeTodoBody },
        errors: [409],
      }),
    )
    .delete(
      '/todos/:todoId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return todoView(await deleteItem(deps, callerOf(request), params.todoId, TO_DO));
      },
      workspaceOperation({
        ...oneTodo,
        operationId: 'deleteTodo',
        summary: 'Delete a to-do',
        errors: [400, 413, 415],
      }),
    );
}
