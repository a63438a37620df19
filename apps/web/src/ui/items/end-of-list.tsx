import { useEffect, useRef } from 'preact/hooks';

interface EndOfListProps {
  /** Whether everything is loaded. */
  isAtEnd: boolean;
  /** Called when the user scrolls near the end. */
  onNear: () => void;
}

/** The end of the part of a list that is loaded or drawn so far. */
export function EndOfList({ isAtEnd, onNear }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const element = end.current;
    if (!element || isAtEnd) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { root: element.closest('.scroll'), rootMargin: '600px' },
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [isAtEnd]);
  return <div class="end-of-list" ref={end} />;
}
