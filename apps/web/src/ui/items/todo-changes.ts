import type { Todo } from '@hub/contract';
import { useRef } from 'preact/hooks';
import type { ItemStore } from '../../data/items/item-store.ts';
import { type TodoChange, TodoChanges } from '../../data/items/todo-changes.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { toast } from '../toast.tsx';

const changesOf = new WeakMap<ItemStore, TodoChanges>();

export function useTodoChanges(): TodoChanges {
  const { items } = useWorkspace();
  const changes = changesOf.get(items) ?? new TodoChanges(items);
  changesOf.set(items, changes);
  return changes;
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
    const dismiss = toast(`Not saved. ${errorMessage(error)}`, { isError: true, action: retry });
    lastToast = { todoId, dismiss };
    return false;
  }
}

/** Checks a to-do off, with undo, or reopens it. */
async function checkOff(changes: TodoChanges, { id, title }: Todo, isDone: boolean): Promise<void> {
  const isSaved = await changeTodo(changes, id, { status: isDone ? 'done' : 'open' });
  if (!isSaved || !isDone) return;
  const undo = () => void changeTodo(changes, id, { status: 'open' });
  lastToast = { todoId: id, dismiss: toast(`Done: ${title}`, { action: { label: 'Undo', run: undo } }) };
}

/** Human reaction time: a click refers to what was shown this long before. */
const REACTION_MS = 1_000;

/** Props for a control that checks a to-do off. A click means what the user saw, not a change just before. */
export function useCheck(todo: Todo) {
  const changes = useTodoChanges();
  const { status } = changes.withPending(todo);
  const isDone = status === 'done';
  const latest = useRef({ id: todo.id, isDone, changedByOthersAt: Number.NEGATIVE_INFINITY });
  const pressedAt = useRef(Number.POSITIVE_INFINITY);
  if (latest.current.id !== todo.id || latest.current.isDone !== isDone) {
    // The user's own change is shown before the server has confirmed it.
    const isByOthers = latest.current.id === todo.id && status === todo.status;
    const changedByOthersAt = isByOthers ? performance.now() : Number.NEGATIVE_INFINITY;
    latest.current = { id: todo.id, isDone, changedByOthersAt };
  }
  const press = () => {
    const seenAt = Math.min(performance.now() - REACTION_MS, pressedAt.current);
    pressedAt.current = Number.POSITIVE_INFINITY;
    if (latest.current.changedByOthersAt < seenAt) void checkOff(changes, todo, !isDone);
  };
  const onPointerDown = () => {
    pressedAt.current = performance.now();
  };
  return {
    isDone,
    button: { onPointerDown, onClick: press },
    box: {
      type: 'checkbox',
      checked: isDone,
      onPointerDown,
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
        // Undo the browser's own toggle; the next render shows the change, if there is one.
        currentTarget.checked = isDone;
        press();
      },
    },
  } as const;
}
