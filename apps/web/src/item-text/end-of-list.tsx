import { useEffect, useRef } from 'preact/hooks';

interface EndOfListProps {
  /** There is no more. */
  isAtEnd: boolean;
  /** It comes near while one scrolls. */
  onNear: () => void;
}

/** The end of what is drawn or loaded so far. */
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
