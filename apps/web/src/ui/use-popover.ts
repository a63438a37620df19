import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useBackToClose } from '../lib/router/location.ts';
import { hasScreenKeyboard } from '../lib/widths.ts';

interface Popover {
  opener: HTMLElement;
  /** The element that gets the focus on closing. Default: the opener. */
  returnTo?: HTMLElement;
  onClose: () => void;
  /** Returns the element that gets the focus. Default: its field, but on a touch screen, where the keyboard would cover the rest, the popover. */
  start?: (box: HTMLElement) => HTMLElement | null;
}

/** A popover to choose from, open while it is mounted. A click outside closes it, and so does pressing its opener. */
export function usePopover<Box extends HTMLElement>(popover: Popover): RefObject<Box | null> {
  const { opener, returnTo = opener, onClose, start = startOf } = popover;
  const box = useRef<Box>(null);
  const latestClose = useRef(onClose);
  latestClose.current = onClose;
  useBackToClose(onClose);
  // Runs before the paint, so that typed characters go only to the field.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    element.showPopover();
    const position = () => positionNear(element, opener);
    position();
    // Its list may load later, a screen keyboard may open, and the screen may be turned.
    const sizes = new ResizeObserver(position);
    sizes.observe(element);
    visualViewport?.addEventListener('resize', position);
    // The opener may scroll, or move with its row.
    const place = () => `${opener.getBoundingClientRect().x} ${opener.getBoundingClientRect().y}`;
    let [frame, former] = [0, place()];
    const follow = () => {
      if (!opener.isConnected) latestClose.current();
      else if (former !== place()) position();
      former = place();
      frame = requestAnimationFrame(follow);
    };
    frame = requestAnimationFrame(follow);
    element.tabIndex = -1;
    start(element)?.focus();
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') latestClose.current();
    };
    element.addEventListener('toggle', onToggle);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      visualViewport?.removeEventListener('resize', position);
      element.removeEventListener('toggle', onToggle);
      const { activeElement } = document;
      const isElsewhere = activeElement !== null && activeElement !== document.body && !element.contains(activeElement);
      if (returnTo.isConnected && !isElsewhere) returnTo.focus();
    };
  }, []);
  // Pressing the opener closes the popover without reopening it. The click that opens it must be over: its default action
  // would close it again.
  useEffect(() => {
    if (!(opener instanceof HTMLButtonElement)) return;
    const timer = setTimeout(() => {
      opener.popoverTargetElement = box.current;
    });
    return () => {
      clearTimeout(timer);
      opener.popoverTargetElement = null;
    };
  }, []);
  return box;
}

function startOf(box: HTMLElement): HTMLElement | null {
  return hasScreenKeyboard() ? box : box.querySelector('input');
}

const MARGIN = 8;

/**
 * Positions an element below its opener, or above if there is more room there, and always within the window, above a screen
 * keyboard.
 */
export function positionNear(element: HTMLElement, opener: HTMLElement): void {
  const isZoomed = visualViewport !== null && visualViewport.scale > 1.01;
  const room = isZoomed ? innerHeight : Math.min(innerHeight, visualViewport?.height ?? innerHeight);
  const { top, bottom, left, right } = opener.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const isBelow = bottom + height + MARGIN <= room || top < room - bottom;
  const y = isBelow ? bottom + 4 : top - height - 4;
  const x = left + width + MARGIN <= innerWidth ? left : right - width;
  element.style.top = `${Math.max(MARGIN, Math.min(y, room - height - MARGIN))}px`;
  element.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
}
