import type { ChangeTodoBody, Todo, TodoField } from '@hub/contract';
import { request } from '../request.ts';
import type { ItemStore } from './item-store.ts';

/** A change made with a control, not by editing text. */
export type TodoChange = Partial<Pick<Todo, 'status' | 'assignee' | TodoField>>;

/** Changes a to-do, which is shown at once. @throws ApiError or NoResponse; the change is then reverted. */
export function sendTodoChange(items: ItemStore, todoId: string, change: TodoChange): Promise<void> {
  const { assignee, ...rest } = change;
  const body: ChangeTodoBody = { ...rest, ...(assignee !== undefined && { assigneeId: assignee?.id ?? null }) };
  return items.change<Todo>(
    todoId,
    (todo) => ({ ...todo, ...change }),
    () => request('PATCH /todos/{todoId}', { todoId, body }),
  );
}
