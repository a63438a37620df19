import { ChangeTodoBody, StreamPage, Todo, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { readJsonBody } from '../http/read-body.ts';
import { readNoFields, readPatch } from '../http/validate.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { filter, idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { changeTodo } from './change-item.ts';
import { deleteItem } from './delete-item.ts';
import { TO_DO } from './item-rights.ts';
import { todoView } from './item-view.ts';
import { cursorParameters, readTodoQuery, todoParameters } from './items-operation.ts';
import { listTodos } from './list-items.ts';

const todoId = idInPath('todoId', 'The id of the to-do.', 'todo');

/** Routes for to-dos. Every member of the Hub can edit, complete and delete them. */
export function todosRoutes(deps: Deps) {
  return new Elysia({ name: 'todos', prefix: `${WORKSPACE_API_PATH}/todos` })
    .get(
      '',
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
      '/:todoId',
      async ({ request, params }) => {
        const body = readPatch(ChangeTodoBody, await readJsonBody(request), { noun: 'a to-do' });
        return changeTodo(deps, callerOf(request), params.todoId, body);
      },
      workspaceOperation({
        operationId: 'changeTodo',
        summary: 'Edit, assign, complete or reopen a to-do',
        access: 'member',
        parameters: [todoId],
        body: { schema: ChangeTodoBody },
        status: 200,
        response: Todo,
        errors: [409],
      }),
    )
    .delete(
      '/:todoId',
      async ({ request, params }) => {
        await readNoFields(request, 'a deletion');
        return todoView(await deleteItem(deps, callerOf(request), params.todoId, TO_DO));
      },
      workspaceOperation({
        operationId: 'deleteTodo',
        summary: 'Delete a to-do',
        access: 'member',
        parameters: [todoId],
        status: 200,
        response: Todo,
        errors: [400, 413, 415],
      }),
    );
}
