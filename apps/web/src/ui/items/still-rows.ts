import type { Item } from '@hub/contract';
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { byCreation } from '../../data/items/item.ts';

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
    const point = ({ target, pointerType }: PointerEvent) => {
      // On the way to what waits, rows must not move either. A finger leaves nothing behind that points at a row.
      if (target instanceof Element && target.closest('.to-top') === null)
        setPointed(pointerType !== 'touch' && element.contains(target));
    };
    const focus = ({ type, relatedTarget }: FocusEvent) => {
      // The window may lose the focus, which its row then keeps.
      const next = (type === 'focusout' && relatedTarget) || document.activeElement;
      setFocused(next instanceof Element && element.contains(next) && next.closest(rowSelector) !== null);
    };
    document.addEventListener('pointerover', point, options);
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
  /** The items to show now. */
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
  const items = last === null ? all : all.filter((item) => byCreation(item, last) <= 0 || isOwn(item));
  const release = () => {
    newest.current = null;
    rerender({});
  };
  // After a long time offline, the list may begin after all rows on the page.
  if (items.length > 0) return { items, waiting: all.length - items.length, release };
  newest.current = null;
  return { items: all, waiting: 0, release };
}
