import type { Item } from '@hub/contract';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { ErrorNotice } from '../frame/error-notice.tsx';
import { Loading } from '../frame/loading.tsx';
import { enterAsOne, tabThroughRow } from '../hub/row-keys.ts';
import { RowOverlays } from '../hub/row-overlays.tsx';
import { RowScopeContext } from '../hub/row-scope.ts';
import { route } from '../router/location.ts';
import { BackToTop } from './back-to-top.tsx';
import { FeedChunk } from './feed-chunk.tsx';
import { areSameRows, chunksOf, type FeedRow, feedRows } from './feed-rows.ts';
import { useFeedScroll } from './feed-scroll.ts';
import type { KeptFeed } from './kept-feed.ts';
import { localDay } from './local-day.ts';
import { OlderItems } from './older-items.tsx';
import { useReading } from './use-reading.ts';
import { useStreamRows } from './use-stream-rows.ts';

interface FeedProps {
  feed: KeptFeed;
  label: string;
  /** The empty state. */
  empty: ComponentChildren;
  /** Shown above the items; it scrolls with them. */
  toolbar?: ComponentChildren;
}

/** Items from several Hubs, newest on top. A reader who has scrolled down keeps their position. */
export function Feed({ feed, label, empty, toolbar }: FeedProps) {
  const { list } = feed;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(feed, useReading(scroller, feed));
  const chunks = useChunks(rows);
  const { arrived, toTop } = useFeedScroll(scroller, feed, rows);
  const entries = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const scope = useStreamRows(feed, { rows, root: entries, toTop });
  const state = list.state.value;
  const isOlderLoading = list.older.value.status === 'loading';
  return (
    <div class="feed-frame">
      <div class="scroll" ref={scroller} tabIndex={-1} role="region" aria-label={label} data-location={route.value.key}>
        {toolbar}
        {state.status === 'failed' && (
          <ErrorNotice title={"Couldn't load posts"} text={state.text} onRetry={() => list.reload()} />
        )}
        {rows.length === 0 && state.status === 'loading' && <Loading />}
        {rows.length === 0 && state.status === 'ready' && empty}
        <div
          class="entries"
          role="log"
          aria-label={label}
          aria-busy={isOlderLoading || state.status === 'loading'}
          tabIndex={rows.length === 0 ? -1 : 0}
          ref={entries}
          onKeyDown={(event) => tabThroughRow(event, scope, end.current)}
          onFocusIn={(event) => enterAsOne(event, scope)}
        >
          <RowScopeContext.Provider value={scope}>
            {chunks.map((chunk) => (
              <FeedChunk key={chunk.at(-1)?.id} rows={chunk} scroller={scroller} />
            ))}
          </RowScopeContext.Provider>
          <span tabIndex={-1} ref={end} />
        </div>
        {rows.length > 0 && <OlderItems list={list} scroller={scroller} />}
      </div>
      <BackToTop arrived={arrived} onPress={toTop} />
      <RowOverlays scope={scope} />
    </div>
  );
}

/** Returns the rows. Renders again when an item is added or removed, or a Hub is read. */
function useRows({ list, holdsAllNew }: KeptFeed, isFresh: (item: Item) => boolean): FeedRow[] {
  const items = list.items.value;
  const isRestRead = () => !list.hasOlder.value || holdsAllNew(items);
  return feedRows({ items, isFresh, isRestRead, dayOf: localDay });
}

/** Returns the same arrays as before for unchanged chunks, so that they are not rendered again. */
function useChunks(rows: readonly FeedRow[]): readonly FeedRow[][] {
  const cuts = useMemo(() => new Set<string>(), []);
  const last = useRef<readonly FeedRow[][]>([]);
  const known = new Map(last.current.map((chunk) => [chunk.at(-1)?.id, chunk]));
  last.current = chunksOf(rows, cuts).map((chunk) => {
    const before = known.get(chunk.at(-1)?.id);
    return before && areSameRows(before, chunk) ? before : chunk;
  });
  return last.current;
}
