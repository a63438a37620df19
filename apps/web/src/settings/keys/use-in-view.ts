import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** From then on somebody looks where he likes. */
const ACTIONS = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Brings the details of a key into view with the row above them, each time that they are asked for. They grow, and what is above
 * them, while it is loaded: they stay in view until somebody does something else. Where both are in view already, nothing moves.
 */
export function useInView(details: RefObject<HTMLTableRowElement | null>, askedCount: number): void {
  useEffect(() => {
    const element = details.current;
    if (!element) return;
    const show = () => {
      element.scrollIntoView({ block: 'nearest' });
      // Where there is no room for both, the row is what one sees.
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
  }, [askedCount]);
}
