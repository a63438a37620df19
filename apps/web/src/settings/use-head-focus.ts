import { useEffect } from 'preact/hooks';
import { place } from '../router/location.ts';

/** One comes from another part of the same page: the focus goes to the heading, unless it is somewhere already. */
export function useHeadFocus(key: string): void {
  useEffect(() => {
    if (place.peek().key === 'first' || document.activeElement !== document.body) return;
    const head = document.querySelector<HTMLElement>('#main h1');
    if (!head) return;
    head.tabIndex = -1;
    head.focus({ preventScroll: true });
  }, [key]);
}
