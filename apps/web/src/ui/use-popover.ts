import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { placeBy } from './menu.tsx';

interface Popover {
  /** What opened it: it stands by it. */
  opener: HTMLElement;
  /** Where the focus goes when it is closed: to the opener, unless it is named. */
  returnTo?: HTMLElement;
  onClose: () => void;
}

/** A box over the page with a field in it, from which one chooses: open as long as it is drawn. A press beside it closes it. */
export function usePopover<Box extends HTMLElement>({
  opener,
  returnTo = opener,
  onClose,
}: Popover): RefObject<Box | null> {
  const box = useRef<Box>(null);
  // Before anything is typed: nothing of it is to go elsewhere.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    placeBy(element, opener);
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
