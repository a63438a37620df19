import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** After any of these, the user controls the scroll position. */
const ACTIONS = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Scrolls the details of a key and the row above them into view each time they are opened. Content keeps growing while
 * it loads, so they are kept in view until the user does something else. Nothing moves if the details and the row are
 * already in view.
 */
export function useInView(details: RefObject<HTMLTableRowElement | null>, openCount: number): void {
  useEffect(() => {
    const element = details.current;
    if (!element) return;
    const show = () => {
      element.scrollIntoView({ block: 'nearest' });
      // If the two do not fit together, the row takes precedence.
      element.previousElementSibling?.scrollIntoView({ block: 'nearest' });
    };
    const sizes = new ResizeObserver(show);
    const stop = () => sizes.disconnect();
    show();
    sizes.observe(element);
    const page = element.closest('.keys-page');
    if (page) sizes.observe(page);
    for (const type of ACTIONS) addEventListener(type, stop, { once: true, passive: true });
    return () => {
      stop();
      for (const type of ACTIONS) removeEventListener(type, stop);
    };
  }, [openCount]);
}
