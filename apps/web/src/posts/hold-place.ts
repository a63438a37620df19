/**
 * Keeps an element where it was on the screen. Feeds hold on to their end, so that what grows within them would push what stands
 * above it upwards.
 */
export function keepPlace(element: HTMLElement, top: number): void {
  const moved = element.getBoundingClientRect().top - top;
  const scroller = Math.abs(moved) > 0.5 ? scrollerOf(element) : null;
  if (scroller) scroller.scrollTop += moved;
}

/**
 * Keeps it there each time that it grows, unless the reader scrolls: then from where he has brought it, and no more if he has gone
 * to where the scroller begins, which is the end of a feed. The result ends it.
 */
export function holdPlace(element: HTMLElement, top: number): () => void {
  const scroller = scrollerOf(element);
  let held = top;
  let scrolledTo = scroller?.scrollTop;
  const onScroll = () => {
    // Its own scrolling is by whole pixels: were it followed, the element would creep away by parts of them.
    if (scroller?.scrollTop === scrolledTo) return;
    if (scroller?.scrollTop === 0) stop();
    held = element.getBoundingClientRect().top;
  };
  const stop = () => {
    growth.disconnect();
    scroller?.removeEventListener('scroll', onScroll);
  };
  // It is told after the feed, which was there before it: what the feed makes of the growth is put right before it is painted.
  const growth = new ResizeObserver(() => {
    keepPlace(element, held);
    scrolledTo = scroller?.scrollTop;
  });
  growth.observe(element);
  scroller?.addEventListener('scroll', onScroll, { passive: true });
  return stop;
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  let scroller = element.parentElement;
  while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement;
  return scroller;
}
