import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { positionNear } from './menu.tsx';

interface Popover {
  /** The element that opened the popover. The popover appears next to it. */
  opener: HTMLElement;
  /** The element that gets the focus on closing. Default: the opener. */
  returnTo?: HTMLElement;
  onClose: () => void;
}

/** A popover with a field and a list to choose from, open while it is mounted. A click outside closes it. */
export function usePopover<Box extends HTMLElement>({
  opener,
  returnTo = opener,
  onClose,
}: Popover): RefObject<Box | null> {
  const box = useRef<Box>(null);
  // Runs before the paint, so that typed characters go only to the field.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    positionNear(element, opener);
    element.querySelector('input')?.focus();
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
