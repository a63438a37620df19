import { useEffect, useRef } from 'preact/hooks';
import { route } from '../../lib/router/location.ts';

/** If a page takes longer to load, the focus stays where it is. */
const WAIT_MS = 2_000;

/**
 * Moves the focus to the heading of each new page, so that screen readers announce it and keyboard navigation continues
 * from there.
 */
export function useArrival(): void {
  const { path } = route.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // The heading of a page that is still loading is replaced later, and the focus would be lost with it.
    return whenFound(() => document.querySelector<HTMLElement>('#main:not([aria-busy="true"]) h1'), focusOn);
  }, [path]);
}

function focusOn(element: HTMLElement): void {
  // The page has set the focus itself, for example to a field.
  if (document.activeElement?.closest('#main')) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Calls `use` once `find` succeeds. Returns a function that stops waiting. */
function whenFound(find: () => HTMLElement | null, use: (found: HTMLElement) => void): () => void {
  const found = find();
  if (found) {
    use(found);
    return () => {};
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    stop();
    use(late);
  });
  const timer = setTimeout(() => stop(), WAIT_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
  return stop;
}
