import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useBackToClose } from '../lib/router/layers.ts';
import { hasScreenKeyboard } from '../lib/widths.ts';

interface Popover {
  /** The element that opened the popover. The popover appears next to it. */
  opener: HTMLElement;
  /** The element that gets the focus on closing. Default: the opener. */
  returnTo?: HTMLElement;
  onClose: () => void;
}

/**
 * A popover with a field and a list to choose from, open while it is mounted. A click outside closes it. On a touch
 * screen, it gets the focus itself, since a focused field would raise the keyboard over the list.
 */
export function usePopover<Box extends HTMLElement>({
  opener,
  returnTo = opener,
  onClose,
}: Popover): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useBackToClose(onClose);
  // Runs before the paint, so that typed characters go only to the field.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    positionNear(element, opener);
    element.tabIndex = -1;
    (hasScreenKeyboard() ? element : element.querySelector('input'))?.focus();
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    element.addEventListener('toggle', onToggle);
    return () => {
      element.removeEventListener('toggle', onToggle);
      if (returnTo.isConnected) returnTo.focus();
    };
  }, []);
  return box;
}

const MARGIN = 8;

/** Positions an element below its opener, or above if there is more room there, and always within the window. */
export function positionNear(element: HTMLElement, opener: HTMLElement): void {
  const { top, bottom, left, right } = opener.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const isBelow = bottom + height + MARGIN <= innerHeight || top < innerHeight - bottom;
  const y = isBelow ? bottom + 4 : top - height - 4;
  const x = left + width + MARGIN <= innerWidth ? left : right - width;
  element.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - height - MARGIN))}px`;
  element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
}
