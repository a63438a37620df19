import type { ChangeTodoBody, Todo } from '@hub/contract';
import { actingUserOf, type Caller } from '../actor.ts';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import type { ItemChanges } from '../storage/item-store.ts';
import { findUndeletedItem, TO_DO } from './item-rights.ts';
import { todoView } from './item-view.ts';

/** Edits, assigns, completes or reopens a to-do. Every member of the Hub can do this. */
export async function changeTodo(
  deps: Deps,
  caller: Caller,
  todoId: string | null,
  { baseVersion, ...body }: ChangeTodoBody,
): Promise<Todo> {
  const todo = await findUndeletedItem(deps, caller, todoId, TO_DO);
  const changed = await deps.store.items.change({
    itemId: todo.id,
    at: deps.clock.now(),
    personId: caller.user?.id ?? null,
    changes: changesOf(body),
    baseVersion,
    actingUser: actingUserOf(caller),
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
