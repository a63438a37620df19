import type { ChangeTodoBody, Todo } from '@hub/contract';
import { type Caller, stateOf } from '../actor.ts';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import type { ItemChanges } from '../store/item-store.ts';
import { presentItem, TO_DO } from './item-rights.ts';
import { todoView } from './item-view.ts';

/** By any member: edit it, give it to somebody, check it off, open it again. */
export async function changeTodo(
  deps: Deps,
  caller: Caller,
  todoId: string | null,
  { baseVersion, ...body }: ChangeTodoBody,
): Promise<Todo> {
  const todo = await presentItem(deps, caller, todoId, TO_DO);
  const changed = await deps.store.items.change({
    itemId: todo.id,
    at: deps.clock.now(),
    personId: caller.user?.id ?? null,
    changes: changesOf(body),
    baseVersion,
    by: stateOf(caller),
  });
  return todoView(changed);
}

function changesOf({ content, dueDate, ...rest }: ChangeTodoBody): ItemChanges {
  return {
    ...rest,
    ...(content === undefined ? {} : { body: content }),
    ...(dueDate === undefined ? {} : { dueAt: dueDate === null ? null : parseDateTime(dueDate) }),
  };
}
