import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { Loading } from '../frame/loading.tsx';
import type { ItemList } from '../items/item-list.ts';

/** So far before the end the next page is asked for. */
const AHEAD_PX = 1_200;

/** The end of a feed: loads what is older before one gets there. */
export function OlderItems({ list, scroller }: { list: ItemList; scroller: RefObject<HTMLElement | null> }) {
  const end = useRef<HTMLDivElement>(null);
  const count = list.items.value.length;
  const { status } = list.state.value;
  const older = list.older.value;
  const hasOlder = list.hasOlder.value;
  useEffect(() => {
    const { current } = end;
    if (!current || !hasOlder || status !== 'ready' || older.status !== 'ready') return;
    const observer = new IntersectionObserver(
      // Several at once tell what happened since the last time: the last one is how it is.
      (entries) => {
        if (entries.at(-1)?.isIntersecting) void list.loadOlder();
      },
      { root: scroller.current, rootMargin: `${AHEAD_PX}px 0px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [list, count, hasOlder, status, older.status]);
  return (
    <div class="feed-end" ref={end}>
      {older.status === 'loading' && <Loading what="Loading what is older" />}
      {older.status === 'failed' && (
        <ErrorNotice title="What is older did not load" text={older.text} onAgain={() => list.loadOlder()} />
      )}
      {!hasOlder && <p>That is all there is.</p>}
    </div>
  );
}
