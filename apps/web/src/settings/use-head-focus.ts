import { useEffect } from 'preact/hooks';
import { route } from '../router/location.ts';

/** Moves the focus to the heading after navigation within a page, unless something already has it. */
export function useHeadFocus(key: string): void {
  useEffect(() => {
    if (route.peek().key === 'first' || document.activeElement !== document.body) return;
    const head = document.querySelector<HTMLElement>('#main h1');
    if (!head) return;
    head.tabIndex = -1;
    head.focus({ preventScroll: true });
  }, [key]);
}
