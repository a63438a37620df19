import type { Todo } from '@hub/contract';
import { useRef } from 'preact/hooks';
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

/** Human reaction time: a press refers to what was shown this long before. */
const REACTION_MS = 1_000;

/** Returns props of a control that checks a to-do off, or reopens it, unless someone else did just before the press. */
export function useCheck(todo: Todo) {
  const { items } = useWorkspace();
  const { id, status } = todo;
  const seen = useRef({ id, status, changedByOthersAt: Number.NEGATIVE_INFINITY });
  const pressedAt = useRef(Number.POSITIVE_INFINITY);
  if (seen.current.id !== id || seen.current.status !== status) {
    const isByOthers = seen.current.id === id && !items.isChanging(id);
    seen.current = { id, status, changedByOthersAt: isByOthers ? performance.now() : Number.NEGATIVE_INFINITY };
  }
  return {
    onPointerDown: () => {
      pressedAt.current = performance.now();
    },
    onClick: (event: Event) => {
      const seenAt = Math.min(performance.now() - REACTION_MS, pressedAt.current);
      pressedAt.current = Number.POSITIVE_INFINITY;
      // Otherwise, a checkbox would change all the same.
      if (seen.current.changedByOthersAt >= seenAt) event.preventDefault();
      else void checkOff(items, todo, status === 'open');
    },
  };
}
