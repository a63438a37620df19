import { useEffect, useRef, useState } from 'preact/hooks';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { openItemId } from '../../lib/router/location.ts';

interface ListKeys {
  /** Rows are the elements with this attribute; its value is their id. Each has a link. */
  attribute: string;
  /** Called when moving past the last drawn row, so that more can be drawn. */
  onEnd: () => void;
  /** Called when `x` is pressed on a row. */
  toggle?: (id: string) => void;
  noun: string;
}

/** Moves between rows with `j` and `k`. The Tab key reaches only the row that had the focus last. */
export function useListKeys({ attribute, onEnd, toggle, noun }: ListKeys) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<string | null>(null);

  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(`[${attribute}]`) ?? [])];
  const focus = (row: HTMLElement | undefined) => {
    if (!row) return;
    (row.matches('a') ? row : row.querySelector('a'))?.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  };
  const move = (step: 1 | -1) => {
    const all = rows();
    const here = all.findIndex((row) => row.getAttribute(attribute) === current);
    if (here + step >= all.length) onEnd();
    const isFocused = here >= 0 && all[here]?.contains(document.activeElement);
    // The first press only shows the current position.
    focus(all[here < 0 ? 0 : isFocused ? Math.max(0, here + step) : here]);
  };

  useShortcuts(
    [
      { keys: 'j', does: `Next ${noun}`, run: () => move(1) },
      { keys: 'k', does: `Previous ${noun}`, run: () => move(-1) },
      ...(toggle
        ? [{ keys: 'x', does: `Check off ${noun}`, run: () => current !== null && toggle(current) } as const]
        : []),
    ].map((shortcut) => ({ ...shortcut, run: () => void shortcut.run() })),
  );

  // Closing a panel returns the focus to the row that opened it.
  const open = openItemId.value;
  const before = useRef(open);
  useEffect(() => {
    const closed = open === null ? before.current : null;
    before.current = open;
    if (closed === null || (document.activeElement && document.activeElement !== document.body)) return;
    focus(rows().find((row) => row.getAttribute(attribute) === closed));
  }, [open]);

  const onFocusIn = (event: FocusEvent) => {
    const row = event.target instanceof Element ? event.target.closest(`[${attribute}]`) : null;
    if (row) setCurrent(row.getAttribute(attribute));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event;
    const isRow = target instanceof Element && target.closest(`[${attribute}]`) !== null;
    if (!isRow || event.ctrlKey || event.metaKey || event.altKey) return;
    const isCheck = target instanceof HTMLInputElement;
    if (key === 'ArrowDown' || (isCheck && key === 'j')) move(1);
    else if (key === 'ArrowUp' || (isCheck && key === 'k')) move(-1);
    else if (toggle && current !== null && ((key === ' ' && !isCheck) || (key === 'x' && isCheck))) toggle(current);
    else return;
    event.preventDefault();
  };
  return { list, current, onFocusIn, onKeyDown };
}
