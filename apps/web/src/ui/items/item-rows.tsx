import type { Item } from '@hub/contract';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { byCreation } from '../../data/items/item.ts';
import { useShortcuts } from '../../lib/keyboard/shortcuts.ts';
import { openItemId } from '../../lib/router/location.ts';

interface ListKeys {
  label: string;
  /** Rows are the elements with this attribute; its value is their id. Each has a link. */
  attribute: string;
  /** Called when moving past the last drawn row, so that more can be drawn. */
  onEnd: () => void;
  /** Called when `x` is pressed on a row. */
  toggle?: (id: string) => void;
  /** Called when `Shift+X` is pressed on a row. */
  select?: (id: string) => void;
}

/**
 * Moves between rows with `j`, `k` and arrow keys. The Tab key reaches only the row that had the focus last. `props` are
 * those of the scrolling element around the rows.
 */
export function useListKeys({ label, attribute, onEnd, toggle, select }: ListKeys) {
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

  const onCurrent = (run: (id: string) => void) => () => current !== null && run(current);
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ...(toggle && { x: onCurrent(toggle) }),
    ...(select && { 'Shift+X': onCurrent(select) }),
  });

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
    const isRow = target === list.current || (target instanceof Element && target.closest(`[${attribute}]`) !== null);
    if (!isRow || event.ctrlKey || event.metaKey || event.altKey) return;
    const isCheck = target instanceof HTMLInputElement;
    if (key === 'ArrowDown' || (isCheck && key === 'j')) move(1);
    else if (key === 'ArrowUp' || (isCheck && key === 'k')) move(-1);
    else if (key === 'Home') focus(rows()[0]);
    else if (key === 'End') focus(rows().at(-1));
    else if (toggle && current !== null && ((key === ' ' && !isCheck) || (key === 'x' && isCheck))) toggle(current);
    else return;
    event.preventDefault();
  };
  const props = { tabIndex: 0, role: 'region', 'aria-label': label, ref: list, onFocusIn, onKeyDown } as const;
  return { list, current, props };
}

/** How long nothing of the reader's must be in the rows: a closing menu returns the focus a moment later. */
const REST_MS = 300;

/**
 * Whether the reader is busy with the rows in this element: the pointer is over them, one of them has the focus, text
 * in them is selected, or an overlay is open over them. Rows must not move then.
 */
export function useIsBusy(root: RefObject<HTMLElement | null>, rowSelector: string, isOverlayOpen = false): boolean {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isSelecting, setSelecting] = useState(false);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const point = ({ type, target, pointerType }: PointerEvent) => {
      if (!(target instanceof Element)) return;
      // A finger leaves nothing behind that points at a row.
      const isOver = pointerType !== 'touch' && element.contains(target);
      // On the way to what waits, rows must not move either, and then they come to lie under the pointer.
      if (target.closest('.to-top')) {
        if (type === 'pointerup' && pointerType !== 'touch') setPointed(true);
      } else if (type === 'pointermove') setPointed(isOver);
      // A menu that closes may leave a resting pointer over a row, at which it does not point.
      else if (!isOver) setPointed(false);
    };
    const focus = ({ type, relatedTarget }: FocusEvent) => {
      // The window may lose the focus, which its row then keeps.
      const next = (type === 'focusout' && relatedTarget) || document.activeElement;
      setFocused(next instanceof Element && element.contains(next) && next.closest(rowSelector) !== null);
    };
    for (const type of ['pointerover', 'pointermove', 'pointerup'] as const)
      document.addEventListener(type, point, options);
    document.documentElement.addEventListener('pointerleave', () => setPointed(false), options);
    element.addEventListener('focusin', focus, options);
    element.addEventListener('focusout', focus, options);
    document.addEventListener('selectionchange', () => setSelecting(hasSelection(element)), options);
    return () => stop.abort();
  }, []);
  const isBusyNow = isPointed || isFocused || isSelecting || isOverlayOpen;
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (isBusyNow) return setBusy(true);
    const timer = setTimeout(() => setBusy(false), REST_MS);
    return () => clearTimeout(timer);
  }, [isBusyNow]);
  return isBusyNow || isBusy;
}

function hasSelection(element: HTMLElement): boolean {
  const selection = getSelection();
  return selection?.isCollapsed === false && selection.containsNode(element, true);
}

interface StillRows<T> {
  items: readonly T[];
  /** How many others wait. */
  waiting: number;
  /** Shows all of them. */
  release: () => void;
}

/** Holds back the items that others add while `isHeld`, so that the rows on the page keep their position. */
export function useStillRows<T extends Item>(
  all: readonly T[],
  isHeld: boolean,
  isOwn = (_: T) => false,
): StillRows<T> {
  const newest = useRef<T | null>(null);
  const [, rerender] = useState({});
  if (!isHeld || all.length === 0) newest.current = null;
  else newest.current ??= all.reduce((one, other) => (byCreation(one, other) > 0 ? one : other));
  const last = newest.current;
  // The same array as before if nothing has changed.
  const items = useMemo(
    () => (last === null ? all : all.filter((item) => byCreation(item, last) <= 0 || isOwn(item))),
    [all, last],
  );
  const release = () => {
    newest.current = null;
    rerender({});
  };
  // After a long time offline, the list may begin after all rows on the page.
  if (items.length > 0) return { items, waiting: all.length - items.length, release };
  newest.current = null;
  return { items: all, waiting: 0, release };
}

interface ListEndProps {
  class?: string;
  /** A value that changes with the part that is loaded or drawn; `null` if there is no more. */
  state: unknown;
  /** Called when the user scrolls this near to the end, and again while near it each time the state changes. */
  onNear: () => void;
  aheadPx?: number;
  children?: ComponentChildren;
}

/** The end of the part of a list that is loaded or drawn so far. */
export function ListEnd(props: ListEndProps) {
  const { class: name = 'end-of-list', state, onNear, aheadPx = 600, children } = props;
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const { current } = end;
    if (!current || state === null) return;
    const observer = new IntersectionObserver(
      // With several entries, the last one is the current state.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) latest.current();
      },
      { root: current.closest('.scroll, .settings'), rootMargin: `${aheadPx}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [state]);
  return (
    <div class={name} ref={end}>
      {children}
    </div>
  );
}
