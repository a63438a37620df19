import type { Todo, WriteTodoBody } from '@hub/contract';
import type { Caller } from '../actor.ts';
import { parseDateTime } from '../date-time.ts';
import type { Deps } from '../deps.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { todoView } from './item-view.ts';
import { newItem } from './new-item.ts';

/** Creates a user's to-do, open and optionally assigned to a member. */
export async function writeTodo(
  deps: Deps,
  caller: Caller,
  hubId: string | null,
  { title, content, dueDate, priority, assigneeId }: WriteTodoBody,
): Promise<Todo> {
  const hub = await readableHub(deps.store, caller, hubId);
  const item = newItem(deps, caller, {
    kind: 'todo',
    hubId: hub.id,
    title,
    body: content ?? null,
    dueAt: dueDate === undefined ? null : parseDateTime(dueDate),
    priority: priority ?? null,
    assigneeId: assigneeId ?? null,
  });
  return todoView(await deps.store.items.create(item));
}
