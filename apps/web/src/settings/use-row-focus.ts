import { useEffect, useRef } from 'preact/hooks';

/** What somebody does something with in a list. */
export interface Subject {
  id: string;
  /** What came in its place. */
  successorId?: string | null;
}

interface RowFocusOptions {
  /** `null` while nothing is done. */
  subject: Subject | null;
  /** Whether a dialog of it is open: what is done can go on about something else. */
  isOpen: boolean;
  /** What the list shows, so that it is looked at again when that changes. */
  list: unknown;
}

/** What a deed is about, and the rows as they stood when it began. */
interface About {
  subject: Subject;
  rows: readonly string[];
}

/**
 * What one does can take a row away, and with it the button that asked for it. Then the focus goes to the row of what came in
 * its place, to the next row, or to the heading, and not to nothing. Each row has its id as `data-row-id`, and `data-row-focus`
 * at what takes the focus.
 */
export function useRowFocus({ subject, isOpen, list }: RowFocusOptions): void {
  const about = useRef<About | null>(null);
  useEffect(() => {
    if (subject) about.current ??= { subject, rows: rowIds() };
  }, [subject]);
  useEffect(() => {
    if (isOpen || about.current === null) return;
    if (document.activeElement === document.body) placeAfter(about.current)?.focus();
  }, [isOpen, list]);
  useEffect(() => {
    if (isOpen) return;
    // What somebody does after it is about something else.
    const forget = () => {
      about.current = null;
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

function placeAfter({ subject: { id, successorId }, rows }: About): HTMLElement | null {
  const at = rows.indexOf(id);
  const near = at === -1 ? [] : [...rows.slice(at + 1), ...rows.slice(0, at).reverse()];
  for (const candidate of [id, successorId, ...near]) {
    const place =
      candidate && document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(candidate)}"] [data-row-focus]`);
    if (place) return place;
  }
  const head = document.querySelector<HTMLElement>('#main h1');
  if (head) head.tabIndex = -1;
  return head;
}
