import type { Todo } from '@hub/contract';
import type { ItemStore } from '../../data/items/item-store.ts';
import { type TodoChange, TodoChanges } from '../../data/items/todo-changes.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { toast } from '../toast.tsx';

const changesOf = new WeakMap<ItemStore, TodoChanges>();

/** Returns the pending changes of the signed-in user. */
export function useTodoChanges(): TodoChanges {
  const { items } = useWorkspace();
  const known = changesOf.get(items) ?? new TodoChanges(items);
  changesOf.set(items, known);
  return known;
}

/** The last toast about a change. It is outdated after the next change to the same to-do. */
let lastToast = { todoId: '', dismiss: () => {} };

/** Changes a to-do. On failure it shows a toast with a retry. */
export async function changeTodo(changes: TodoChanges, todoId: string, change: TodoChange): Promise<boolean> {
  if (lastToast.todoId === todoId) lastToast.dismiss();
  try {
    await changes.change(todoId, change);
    return true;
  } catch (error) {
    const retry = { label: 'Try again', run: () => void changeTodo(changes, todoId, change) };
    const dismiss = toast(`Not saved. ${errorMessage(error)}`, { isBad: true, action: retry });
    lastToast = { todoId, dismiss };
    return false;
  }
}

/** Checks a to-do off, with undo, or reopens it. */
export async function checkOff(changes: TodoChanges, { id, title }: Todo, isDone: boolean): Promise<void> {
  const isSaved = await changeTodo(changes, id, { status: isDone ? 'done' : 'open' });
  if (!isSaved || !isDone) return;
  const undo = () => void changeTodo(changes, id, { status: 'open' });
  lastToast = { todoId: id, dismiss: toast(`Done: ${title}`, { action: { label: 'Undo', run: undo } }) };
}
