import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { Loading } from '../frame/loading.tsx';
import type { ItemList } from '../items/item-list.ts';

/** The next page is requested this far before the end. */
const AHEAD_PX = 1_200;

/** The end of a feed, which loads older items before the user gets there. */
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
      // With several entries, the last one is the current state.
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
      {older.status === 'loading' && <Loading what="Loading older posts" />}
      {older.status === 'failed' && (
        <ErrorNotice title="Couldn't load older posts" text={older.text} onRetry={() => list.loadOlder()} />
      )}
      {!hasOlder && <p>You've reached the end.</p>}
    </div>
  );
}
