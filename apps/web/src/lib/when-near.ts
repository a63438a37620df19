const NEAR = '200px';

/** Calls `run` once an element is about to scroll into view. Returns a function that stops waiting for it. */
export function whenNear(element: Element, run: () => void): () => void {
  const watch = new IntersectionObserver(
    (entries) => {
      if (!entries.at(-1)?.isIntersecting) return;
      watch.disconnect();
      run();
    },
    { rootMargin: NEAR },
  );
  watch.observe(element);
  return () => watch.disconnect();
}
