import { useEffect, useRef } from 'preact/hooks';

/** The list entry that an action applies to. */
export interface Subject {
  id: string;
  /** The id of the entry that replaced it. */
  successorId?: string | null;
}

interface RowFocusOptions {
  /** `null` while there is no action. */
  subject: Subject | null;
  /** Whether one of the action's dialogs is open. While it is open, `subject` may change to another entry. */
  isOpen: boolean;
  /** The content of the list; the focus is checked again when it changes. */
  list: unknown;
}

/** The subject of an action, and the ids of the rows when it began. */
interface ActionStart {
  subject: Subject;
  rows: readonly string[];
}

/**
 * Keeps the focus in the list when an action removes the row that contains its button: moves the focus to the row of
 * the successor, the next row or the heading. Each row has its id in `data-row-id`, and `data-row-focus` on the element
 * that takes the focus.
 */
export function useRowFocus({ subject, isOpen, list }: RowFocusOptions): void {
  const start = useRef<ActionStart | null>(null);
  useEffect(() => {
    if (subject) start.current ??= { subject, rows: rowIds() };
  }, [subject]);
  useEffect(() => {
    if (isOpen || start.current === null) return;
    if (document.activeElement === document.body) focusTargetAfter(start.current)?.focus();
  }, [isOpen, list]);
  useEffect(() => {
    if (isOpen) return;
    // Any later input is unrelated to the action.
    const forget = () => {
      start.current = null;
    };
    addEventListener('pointerdown', forget);
    addEventListener('keydown', forget);
    return () => {
      removeEventListener('pointerdown', forget);
      removeEventListener('keydown', forget);
    };
  }, [isOpen]);
}

function rowIds(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-row-id]')].map(({ dataset }) => dataset.rowId ?? '');
}

function focusTargetAfter({ subject: { id, successorId }, rows }: ActionStart): HTMLElement | null {
  const at = rows.indexOf(id);
  const near = at === -1 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
  for (const candidate of [id, successorId, ...near]) {
    const target =
      candidate && document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(candidate)}"] [data-row-focus]`);
    if (target) return target;
  }
  return focusable('#main h1');
}

/** Returns a heading, made focusable. */
function focusable(heading: string): HTMLElement | null {
  const head = document.querySelector<HTMLElement>(heading);
  if (head) head.tabIndex = -1;
  return head;
}

/** Focuses a heading if nothing else has the focus. */
export function focusHead(heading: string): void {
  if (document.activeElement === document.body) focusable(heading)?.focus({ preventScroll: true });
}
