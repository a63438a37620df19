/**
 * Scrolls so that an element is back at its previous position on the screen. Feeds stay at their end, so an element
 * that grows within them would push everything above it upward.
 */
export function restorePosition(element: HTMLElement, top: number): void {
  const moved = element.getBoundingClientRect().top - top;
  const scroller = Math.abs(moved) > 0.5 ? scrollerOf(element) : null;
  if (scroller) scroller.scrollTop += moved;
}

/**
 * Keeps an element at its position on the screen while it grows. After the reader scrolls, the element's new position
 * is kept. Stops when the reader scrolls to `scrollTop` 0, the end of a feed. Returns a function that stops it earlier.
 */
export function holdPosition(element: HTMLElement, top: number): () => void {
  const scroller = scrollerOf(element);
  let latest = top;
  let scrolledTo = scroller?.scrollTop;
  const onScroll = () => {
    // Scrolling done here rounds to whole pixels: following it would let the element drift by the fractions.
    if (scroller?.scrollTop === scrolledTo) return;
    if (scroller?.scrollTop === 0) stop();
    latest = element.getBoundingClientRect().top;
  };
  const stop = () => {
    growth.disconnect();
    scroller?.removeEventListener('scroll', onScroll);
  };
  // This observer runs after the feed's, which is older, and so corrects the feed's reaction before the paint.
  const growth = new ResizeObserver(() => {
    restorePosition(element, latest);
    scrolledTo = scroller?.scrollTop;
  });
  growth.observe(element);
  scroller?.addEventListener('scroll', onScroll, { passive: true });
  return stop;
}

/** Returns the top edge of the view that an element scrolls in. */
export function viewTop(element: HTMLElement): number {
  return scrollerOf(element)?.getBoundingClientRect().top ?? 0;
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  let scroller = element.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
  return scroller;
}
