import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DayHead } from '../item-text/day-head.tsx';
import { Entry } from './entry.tsx';
import type { FeedRow } from './feed-rows.ts';

/** What is farther from what is seen is a blank of the same height. */
const NEAR_PX = 1_500;

/** Some rows of a feed, which are in the page only near to where its reader is. */
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
      {/* Not kept: it would keep the elements of what is blank, and of all that stood beside it. */}
      {blankHeight === null && rows.flatMap(contentOf)}
    </div>
  );
}

/** In one list with those of the other rows: keys count among siblings. */
function contentOf({ id, day, isFresh, newAbove }: FeedRow) {
  return [
    newAbove > 0 && (
      <div key={`${id}-line`} class="newline" role="separator" aria-label={`${newAbove} new above`}>
        {newAbove} new above
      </div>
    ),
    day !== null && <DayHead key={`${id}-day`} at={day} />,
    <Entry key={id} id={id} isFresh={isFresh} />,
  ];
}
