import type { Todo } from '@hub/contract';
import type { ItemStore } from '../../data/items/item-store.ts';
import { sendTodoChange, type TodoChange } from '../../data/items/todo-changes.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { toast } from '../toast.tsx';

/** The last toast about a change. It is outdated after the next change to the same to-do. */
let lastToast = { todoId: '', dismiss: () => {} };

/** Changes a to-do. On failure it shows a toast with a retry. */
export async function changeTodo(items: ItemStore, todoId: string, change: TodoChange): Promise<boolean> {
  if (lastToast.todoId === todoId) lastToast.dismiss();
  try {
    await sendTodoChange(items, todoId, change);
    return true;
  } catch (error) {
    const retry = { label: 'Try again', run: () => void changeTodo(items, todoId, change) };
    const dismiss = toast(`Not saved. ${errorMessage(error)}`, { isError: true, action: retry });
    lastToast = { todoId, dismiss };
    return false;
  }
}

/** Checks a to-do off, with undo, or reopens it. */
async function checkOff(items: ItemStore, { id, title }: Todo, isDone: boolean): Promise<void> {
  const isSaved = await changeTodo(items, id, { status: isDone ? 'done' : 'open' });
  if (!isSaved || !isDone) return;
  const undo = () => void changeTodo(items, id, { status: 'open' });
  lastToast = { todoId: id, dismiss: toast(`Done: ${title}`, { action: { label: 'Undo', run: undo } }) };
}

/** Returns what checks a to-do off, or reopens it. */
export function useCheck(todo: Todo): () => void {
  const { items } = useWorkspace();
  return () => void checkOff(items, todo, todo.status === 'open');
}
