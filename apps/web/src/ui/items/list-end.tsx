import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface ListEndProps {
  class?: string;
  /** A value that changes with the part that is loaded or drawn; `null` if there is no more. */
  state: unknown;
  /** Called when the user scrolls this near to the end, and again while near it each time the state changes. */
  onNear: () => void;
  aheadPx?: number;
  children?: ComponentChildren;
}

/** The end of the part of a list that is loaded or drawn so far. */
export function ListEnd(props: ListEndProps) {
  const { class: name = 'end-of-list', state, onNear, aheadPx = 600, children } = props;
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  latest.current = onNear;
  useEffect(() => {
    const { current } = end;
    if (!current || state === null) return;
    const observer = new IntersectionObserver(
      // With several entries, the last one is the current state.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) latest.current();
      },
      { root: current.closest('.scroll, .settings'), rootMargin: `${aheadPx}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [state]);
  return (
    <div class={name} ref={end}>
      {children}
    </div>
  );
}
