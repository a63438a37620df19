import { useEffect, useRef } from 'preact/hooks';
import { place } from '../router/location.ts';

/** A page that takes longer to come is not waited for. */
const WAIT_MS = 2_000;

/** On another page the focus moves to its heading, so that it is read out and the keyboard goes on from there. */
export function useArrival(): void {
  const { path } = place.value;
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    // The heading over what is still to come goes, and would take the focus with it.
    return whenThere(() => document.querySelector<HTMLElement>('#main:not([aria-busy="true"]) h1'), focusOn);
  }, [path]);
}

function focusOn(element: HTMLElement): void {
  // A page that has put it somewhere itself, such as into its field, knows better.
  if (document.activeElement?.closest('#main')) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Calls `use` once the page has what is looked for. The result ends the waiting. */
function whenThere(find: () => HTMLElement | null, use: (found: HTMLElement) => void): () => void {
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
