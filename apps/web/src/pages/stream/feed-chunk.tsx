import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DayHeading } from '../../ui/items/day-heading.tsx';
import { Entry } from './entry.tsx';
import type { FeedRow } from './feed-rows.ts';

/** Chunks farther than this from the view are replaced by an empty element of the same height. */
const NEAR_PX = 1_500;

/** Consecutive rows of a feed. They are in the document only while they are near the view. */
export function FeedChunk({ rows, scroller }: { rows: readonly FeedRow[]; scroller: RefObject<HTMLElement | null> }) {
  const element = useRef<HTMLDivElement>(null);
  const [blankHeight, setBlankHeight] = useState<number | null>(null);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setBlankHeight(null);
        else if (!current.contains(document.activeElement)) setBlankHeight(entry.boundingClientRect.height);
      },
      { root: scroller.current, rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="chunk" ref={element} style={{ height: blankHeight === null ? undefined : `${blankHeight}px` }}>
      {/* Not cached: that would retain the elements of blank chunks and of everything beside them. */}
      {blankHeight === null && rows.flatMap(contentOf)}
    </div>
  );
}

/** Returns an array, so that all rows are siblings: keys are compared among siblings. */
function contentOf({ id, day, isFresh, newAbove }: FeedRow) {
  return [
    newAbove > 0 && (
      <div key={`${id}-line`} class="new-divider" role="separator" aria-label={`${newAbove} new above`}>
        {newAbove} new above
      </div>
    ),
    day !== null && <DayHeading key={`${id}-day`} at={day} />,
    <Entry key={id} id={id} isFresh={isFresh} />,
  ];
}
