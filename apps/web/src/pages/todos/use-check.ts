import type { Todo } from '@hub/contract';
import { useRef } from 'preact/hooks';
import { checkOff, useTodoChanges } from '../../ui/items/use-todo-changes.ts';

/** Human reaction time: a click refers to what was shown this long before. */
const REACTION_MS = 1_000;

/**
 * Props for a checkbox or button that checks a to-do off or reopens it. A click means what the user saw: if another
 * member made the same change just before, the click does nothing.
 */
export function useCheck(todo: Todo) {
  const changes = useTodoChanges();
  const { status } = changes.shown(todo);
  const isDone = status === 'done';
  const seen = useRef({ id: todo.id, isDone, changedByOthersAt: Number.NEGATIVE_INFINITY });
  const pressedAt = useRef(Number.POSITIVE_INFINITY);
  if (seen.current.id !== todo.id || seen.current.isDone !== isDone) {
    // The user's own change is shown before the server has confirmed it.
    const isByOthers = seen.current.id === todo.id && status === todo.status;
    const changedByOthersAt = isByOthers ? performance.now() : Number.NEGATIVE_INFINITY;
    seen.current = { id: todo.id, isDone, changedByOthersAt };
  }
  const press = () => {
    const seenAt = Math.min(performance.now() - REACTION_MS, pressedAt.current);
    pressedAt.current = Number.POSITIVE_INFINITY;
    if (seen.current.changedByOthersAt < seenAt) void checkOff(changes, todo, !isDone);
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
