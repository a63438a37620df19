import type { Item } from '@hub/contract';
import { ArrowUp } from 'icons';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ItemList } from '../../data/items/item-list.ts';
import { itemUrl } from '../../lib/item-url.ts';
import { MAX_COLLAPSED, type Repeats } from '../../lib/repeats.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { Button } from '../../ui/button.tsx';
import { ListEnd } from '../../ui/items/list-end.tsx';
import { useIsBusy, useStillRows } from '../../ui/items/still-rows.ts';
import { DayHeading } from '../../ui/items/when.tsx';
import { ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import type { Anchor } from '../hub/feed-scroll.ts';
import { enterAsOne, tabThroughRow, useRowKeys } from '../hub/row-keys.ts';
import { RowOverlays } from '../hub/row-overlays.tsx';
import { newRowScope, type RowScope, RowScopeContext, rowElement } from '../hub/row-scope.ts';
import { Entry } from './entry.tsx';
import { areSameRows, chunksOf, type FeedRow } from './feed-rows.ts';
import { type KeptFeed, rowsOfFeed } from './kept-feed.ts';
import { useReading } from './use-reading.ts';

interface FeedProps {
  feed: KeptFeed;
  label: string;
  /** The empty state. */
  empty: ComponentChildren;
  /** Shown above the items; it scrolls with them. */
  toolbar?: ComponentChildren;
  /** Whether each item has a row, even if a later one repeats it. */
  isWhole?: boolean;
}

/** Items from several Hubs, newest on top. A reader who has scrolled down keeps their position. */
export function Feed({ feed, label, empty, toolbar, isWhole = false }: FeedProps) {
  const { list } = feed;
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const scope = useMemo(() => newRowScope('stream'), [feed]);
  const state = list.state.value;
  const isBusy = useIsBusy(entries, '[data-row]', scope.overlay.value !== null);
  // Until the first page has loaded, the items are those of another filter.
  const { items, waiting, release } = useStillRows(list.items.value, isBusy && state.status !== 'loading');
  const rows = rowsOfFeed(feed, { items, isWhole, isFresh: useReading(scroller, feed) });
  const chunks = useChunks(rows);
  const { arrived, isFar, toTop } = useFeedScroll(scroller, { feed, items, waiting, release });
  useStreamRows(scope, feed, { rows, root: entries, toTop });
  const isOlderLoading = list.older.value.status === 'loading';
  return (
    <div class="feed-frame">
      <div class="scroll" ref={scroller} tabIndex={-1} role="region" aria-label={label} data-location={route.value.key}>
        {toolbar}
        {state.status === 'failed' && (
          <ErrorNotice title={'Couldn’t load posts'} text={state.text} onRetry={() => list.reload()} />
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
        {rows.length > 0 && <OlderItems list={list} oldest={rows.at(-1)?.repeats} />}
      </div>
      <BackToTop arrived={arrived} isFar={isFar} onPress={toTop} />
      <RowOverlays scope={scope} />
    </div>
  );
}

/** Returns the same arrays as before for unchanged chunks, so that they are not rendered again. */
function useChunks(rows: readonly FeedRow[]): readonly FeedRow[][] {
  const cuts = useMemo(() => new Set<string>(), []);
  const last = useRef<readonly FeedRow[][]>([]);
  const chunks = new Map(last.current.map((chunk) => [chunk.at(-1)?.id, chunk]));
  last.current = chunksOf(rows, cuts).map((chunk) => {
    const before = chunks.get(chunk.at(-1)?.id);
    return before && areSameRows(before, chunk) ? before : chunk;
  });
  return last.current;
}

interface BackToTopProps {
  arrived: number;
  isFar: boolean;
  onPress: () => void;
}

/** A button that counts the items that arrived above or wait, and shows them; for a reader far down, it jumps to the top. */
function BackToTop({ arrived, isFar, onPress }: BackToTopProps) {
  const isNew = arrived > 0;
  return (
    <div class="to-top" role="status">
      {(isNew || isFar) && (
        <button class={isNew ? 'pill is-new' : 'pill'} type="button" onClick={onPress}>
          <ArrowUp size="xs" />
          {isNew ? `${arrived} new` : 'Newest'}
        </button>
      )}
    </div>
  );
}

/** The next page is requested this far before the end. */
const AHEAD_PX = 1_200;

/** The end of a feed, which loads older items before the user gets there. */
function OlderItems({ list, oldest }: { list: ItemList; oldest: Repeats | undefined }) {
  const [pauseAt, setPauseAt] = useState(MAX_COLLAPSED);
  const older = list.older.value;
  const hasOlder = list.hasOlder.value;
  const isReady = list.state.value.status === 'ready' && older.status === 'ready';
  const isPaused = hasOlder && oldest?.isOpen === false && oldest.older.length >= pauseAt;
  return (
    <ListEnd
      key={list}
      class="feed-end"
      aheadPx={AHEAD_PX}
      state={isReady && hasOlder && !isPaused ? list.items.value.length : null}
      onNear={() => void list.loadOlder()}
    >
      {older.status === 'loading' && <Loading what="Loading older posts" />}
      {older.status === 'failed' && (
        <ErrorNotice title="Couldn’t load older posts" text={older.text} onRetry={() => list.loadOlder()} />
      )}
      {isPaused && <Button label="Load older posts" onClick={() => setPauseAt(pauseAt + MAX_COLLAPSED)} />}
      {!hasOlder && <p>You’ve reached the end.</p>}
    </ListEnd>
  );
}

interface StreamRows {
  rows: readonly FeedRow[];
  root: RefObject<HTMLElement | null>;
  toTop: () => void;
}

/** Keyboard shortcuts and actions for the rows of a feed: as in a Hub, except that Enter opens the item in its Hub. */
function useStreamRows(scope: RowScope, feed: KeptFeed, { rows, root, toTop }: StreamRows): void {
  scope.ids = () => rows.map(({ id }) => id);
  scope.root = () => root.current;
  scope.reveal = (id) => rowElement(scope, id)?.scrollIntoView({ block: 'nearest' });
  scope.toNewest = toTop;
  scope.open = (item) => navigate(itemUrl(item));
  useRowKeys(scope);
  useLayoutEffect(() => {
    const { focused } = feed;
    const row = focused === null ? undefined : rowElement(scope, focused);
    if (row) {
      // The position is restored already.
      scope.chosen.value = focused;
      row.tabIndex = -1;
      row.focus({ preventScroll: true });
    }
    return () => {
      const current = scope.chosen.peek();
      const hasFocus = current !== null && rowElement(scope, current) === document.activeElement;
      feed.focused = hasFocus ? current : null;
    };
  }, [feed]);
}

/** Chunks farther than this from the view are replaced by an empty element of the same height. */
const NEAR_PX = 1_500;

/** Consecutive rows of a feed. They are in the document only while they are near the view. */
function FeedChunk({ rows, scroller }: { rows: readonly FeedRow[]; scroller: RefObject<HTMLElement | null> }) {
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
function contentOf({ id, day, isFresh, newAbove, repeats }: FeedRow) {
  return [
    newAbove > 0 && (
      <div key={`${id}-line`} class="new-divider" role="separator" aria-label={`${newAbove} new above`}>
        {newAbove} new above
      </div>
    ),
    day !== null && <DayHeading key={`${id}-day`} at={day} />,
    <Entry key={id} id={id} isFresh={isFresh} repeats={repeats} />,
  ];
}

/** A reader nearer to the top than this counts as being at the top. */
const TOP_PX = 8;
/** A reader who has scrolled this far can jump back, as in a Hub. */
const FAR_SCREENS = 2;
/** Browsers with scroll anchoring keep the reader's position better than code here could. */
const HAS_SCROLL_ANCHORING = CSS.supports('overflow-anchor', 'auto');

/** Returns how far an item is below the upper edge of the view, in pixels. */
function topIn(scroller: HTMLElement, entry: Element): number {
  return entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}

function firstInView(scroller: HTMLElement): Anchor | null {
  for (const entry of scroller.querySelectorAll<HTMLElement>('.entry')) {
    const top = topIn(scroller, entry);
    if (top >= 0) return { id: entry.dataset.item ?? '', top };
  }
  return null;
}

interface FeedScrollOptions {
  feed: KeptFeed;
  items: readonly Item[];
  /** How many other items have arrived, which wait. */
  waiting: number;
  /** Shows them. */
  release: () => void;
}

/** Keeps the reader's position when items arrive above it, and counts those items. */
function useFeedScroll(scroller: RefObject<HTMLElement | null>, { feed, items, waiting, release }: FeedScrollOptions) {
  const newest = items.at(-1)?.id;
  const [isAtTop, setAtTop] = useState(feed.scrollTop <= TOP_PX);
  const [isFar, setFar] = useState(false);
  const height = useRef(0);
  if (isAtTop || feed.newestAtTop === undefined) feed.newestAtTop = newest;

  useEffect(() => {
    const { current } = scroller;
    if (!current) return;
    const onScroll = () => {
      feed.scrollTop = current.scrollTop;
      setAtTop(current.scrollTop <= TOP_PX);
      setFar(current.scrollTop > FAR_SCREENS * current.clientHeight);
    };
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => current.removeEventListener('scroll', onScroll);
  }, [feed]);

  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return;
    current.scrollTop = feed.scrollTop;
    const { anchor } = feed;
    const entry = anchor && current.querySelector(`.entry[data-item="${anchor.id}"]`);
    if (entry) current.scrollTop += topIn(current, entry) - anchor.top;
    return () => {
      feed.anchor = feed.scrollTop <= TOP_PX ? null : firstInView(current);
    };
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
    release();
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.focus({ preventScroll: true });
  };
  const behind = items.toReversed().findIndex(({ id }) => id === feed.newestAtTop);
  return { arrived: waiting + (isAtTop ? 0 : Math.max(0, behind)), isFar, toTop };
}
