import type { Todo } from '@hub/contract';
import { useRef } from 'preact/hooks';
import { checkOff, useTodoChanges } from './use-todo-changes.ts';

/** Whoever presses sees what was there this long before: hand and eye need it. */
const REACTION_MS = 1_000;

/**
 * What checks a to-do off, or opens it again: a box, or a button. A press means what its reader saw. Somebody else may have
 * changed it just before, or under the finger: then it is already as it was wanted, and the press does nothing.
 */
export function useCheck(todo: Todo) {
  const changes = useTodoChanges();
  const { status } = changes.shown(todo);
  const isDone = status === 'done';
  const seen = useRef({ id: todo.id, isDone, changedByOthersAt: Number.NEGATIVE_INFINITY });
  const pressedAt = useRef(Number.POSITIVE_INFINITY);
  if (seen.current.id !== todo.id || seen.current.isDone !== isDone) {
    // A change of one's own shows before the server has it.
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
        // Until it is drawn anew, if it is.
        currentTarget.checked = isDone;
        press();
      },
    },
  } as const;
}
