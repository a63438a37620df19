import type { Todo } from '@hub/contract';
import { errorMessage } from '../api/request.ts';
import type { ItemStore } from '../items/item-store.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { type TodoChange, TodoChanges } from './todo-changes.ts';

const changesOf = new WeakMap<ItemStore, TodoChanges>();

/** Those of whoever is signed in. */
export function useTodoChanges(): TodoChanges {
  const { items } = useWorkspace();
  const known = changesOf.get(items) ?? new TodoChanges(items);
  changesOf.set(items, known);
  return known;
}

/** What was said last of a change; of the same to-do it is not true any more after the next one. */
let said = { todoId: '', takeBack: () => {} };

/** Changes a to-do, and says so if that fails, with a way to try again. */
export async function changeTodo(changes: TodoChanges, todoId: string, change: TodoChange): Promise<boolean> {
  if (said.todoId === todoId) said.takeBack();
  try {
    await changes.change(todoId, change);
    return true;
  } catch (error) {
    const again = { label: 'Try again', run: () => void changeTodo(changes, todoId, change) };
    const takeBack = toast(`Not saved. ${errorMessage(error)}`, { isBad: true, action: again });
    said = { todoId, takeBack };
    return false;
  }
}

/** Checks a to-do off, with a way back, or opens it again. */
export async function checkOff(changes: TodoChanges, { id, title }: Todo, isDone: boolean): Promise<void> {
  const isSaved = await changeTodo(changes, id, { status: isDone ? 'done' : 'open' });
  if (!isSaved || !isDone) return;
  const undo = () => void changeTodo(changes, id, { status: 'open' });
  said = { todoId: id, takeBack: toast(`Done: ${title}`, { action: { label: 'Undo', run: undo } }) };
}
