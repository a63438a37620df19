import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FeedRow } from './feed-rows.ts';
import type { KeptFeed } from './kept-feed.ts';

/** A reader nearer to the top than this counts as being at the top. */
const TOP_PX = 8;
/** Browsers with scroll anchoring keep the reader's position better than code here could. */
const HAS_SCROLL_ANCHORING = CSS.supports('overflow-anchor', 'auto');

/** Keeps the reader's position when items arrive above it, and counts those items. */
export function useFeedScroll(scroller: RefObject<HTMLElement | null>, feed: KeptFeed, rows: readonly FeedRow[]) {
  const newest = rows[0]?.id;
  const [isAtTop, setAtTop] = useState(feed.scrollTop <= TOP_PX);
  /** The top item when the reader left the top. */
  const seen = useRef<string | undefined>(undefined);
  const height = useRef(0);
  if (isAtTop || seen.current === undefined) seen.current = newest;

  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const onScroll = () => {
      feed.scrollTop = current.scrollTop;
      setAtTop(current.scrollTop <= TOP_PX);
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => current.removeEventListener('scroll', onScroll);
  }, [feed]);

  useLayoutEffect(() => {
    const { current } = scroller;
    if (current) current.scrollTop = feed.scrollTop;
  }, [feed]);

  useLayoutEffect(() => {
    const { current } = scroller;
    // Reading the height forces a layout, so it is read only where needed.
    if (HAS_SCROLL_ANCHORING || !current) return;
    const before = height.current;
    height.current = current.scrollHeight;
    if (before > 0 && current.scrollTop > TOP_PX) current.scrollTop += height.current - before;
  }, [newest]);

  const toTop = () => {
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus({ preventScroll: true });
  };
  const behind = rows.findIndex(({ id }) => id === seen.current);
  return { arrived: isAtTop ? 0 : Math.max(0, behind), isAtTop, toTop };
}
