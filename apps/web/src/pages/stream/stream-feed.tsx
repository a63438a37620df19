import type { Item } from '@hub/contract';
import { signal, useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { itemUrl } from '../../lib/items.ts';
import { navigate, route } from '../../lib/router/location.ts';
import { dayKey } from '../../lib/time/format.ts';
import { useIsBusy, useStillRows } from '../../ui/items/item-rows.tsx';
import { withCollapsedRepeats } from '../../ui/items/repeats.tsx';
import { DayHeading } from '../../ui/items/when.tsx';
import { ErrorNotice, Loading } from '../../ui/page/load-states.tsx';
import { Feed } from '../feed/feed.tsx';
import { FeedEdge, JumpButton } from '../feed/feed-edges.tsx';
import { spotOf } from '../feed/feed-scroll.ts';
import { FeedView } from '../feed/feed-view.ts';
import { useRowKeys } from '../feed/row-keys.ts';
import { newRowScope, type RowScope, rowElement } from '../feed/row-scope.ts';
import { Entry } from './entry.tsx';
import type { KeptFeed } from './stream-list.ts';
import { useReading } from './use-reading.ts';
import { dividerIn } from './view-tracker.ts';

interface StreamFeedProps {
  feed: KeptFeed;
  label: string;
  /** Whether the loaded items include everything new. Reads signals. */
  holdsAllNew: (items: readonly Item[]) => boolean;
  empty: ComponentChildren;
  toolbar?: ComponentChildren;
  /** Whether each item has a row, even if a later one repeats it. */
  isWhole?: boolean;
}

/** Items from several Hubs, newest on top. A reader who has scrolled down keeps their position. */
export function StreamFeed({ feed, label, holdsAllNew, empty, toolbar, isWhole = false }: StreamFeedProps) {
  const { list } = feed;
  const log = useRef<HTMLDivElement>(null);
  const { scope, view, present } = useMemo(() => openFeed(feed, isWhole), [feed]);
  const state = list.state.value;
  const isBusy = useIsBusy(log, '[data-row]', scope.overlay.value !== null);
  // Until the first page has loaded, the items are those of another filter.
  const { items: still, waiting, release } = useStillRows(list.items.value, isBusy && state.status !== 'loading');
  useLayoutEffect(() => {
    present.value = still;
  });
  useLayoutEffect(() => view.goTo(spotOf(route.peek().key) ?? 'end'), [view]);
  useReading(log, feed, view);
  const { items, repeats } = view.drawn.value;
  const rows = useComputed(() => view.drawn.value.items).value;
  const divider = useComputed(() => {
    const { hasOlder, items: loaded } = list;
    const isRestRead = () => !hasOlder.value || holdsAllNew(loaded.value);
    return dividerIn(view.drawn.value, { isFresh: (item) => isFresh(feed, item), isRestRead });
  }).value;
  const toTop = () => {
    release();
    present.value = list.items.peek();
    view.goTo('end');
    log.current?.parentElement?.focus({ preventScroll: true });
  };
  scope.ids = () => rows.map(({ id }) => id).toReversed();
  scope.toNewest = toTop;
  useRowKeys(scope);
  useFocusedRow(scope, feed);
  const isAtTop = view.isAtEnd.value;
  if (isAtTop || feed.newestAtTop === undefined) feed.newestAtTop = still.at(-1)?.id;
  const behind = isAtTop ? 0 : still.toReversed().findIndex(({ id }) => id === feed.newestAtTop);
  return (
    <div class="feed-frame">
      <Feed
        label={label}
        view={view}
        scope={scope}
        log={log}
        isSpotSaved
        head={
          <>
            {toolbar}
            {state.status === 'failed' && (
              <ErrorNotice title={'Couldn’t load posts'} text={state.text} onRetry={() => list.reload()} />
            )}
            {still.length === 0 && state.status === 'loading' && <Loading />}
            {still.length === 0 && state.status === 'ready' && empty}
          </>
        }
        renderRow={(index) => {
          const item = items[index];
          const newer = items[index + 1];
          const isDay = item && (!newer || dayKey(newer.createdAt) !== dayKey(item.createdAt));
          return (
            item && (
              <>
                {index === divider.index && (
                  <div class="new-divider" role="separator" aria-label={`${divider.newAbove} new above`}>
                    {divider.newAbove} new above
                  </div>
                )}
                {isDay && <DayHeading at={item.createdAt} />}
                <Entry id={item.id} isFresh={isFresh(feed, item)} repeats={repeats.get(item.id)} />
              </>
            )
          );
        }}
      >
        {still.length > 0 && <FeedEnd feed={feed} view={view} />}
      </Feed>
      <JumpButton count={waiting + Math.max(0, behind)} view={view} onPress={toTop} />
    </div>
  );
}

/** Whether an item is shown as new. Reads signals. */
function isFresh({ held, isNew }: KeptFeed, item: Item): boolean {
  return held.value.has(item.id) || isNew(item);
}

/** Returns the state of a feed while it is shown. `present`: the items that may have a row now. */
function openFeed(feed: KeptFeed, isWhole: boolean) {
  const present = signal(feed.list.items.peek());
  const rowsOf = () =>
    withCollapsedRepeats(present.value, (one, next) => isWhole || isFresh(feed, one) !== isFresh(feed, next));
  const view = new FeedView(feed.list, { isNewestFirst: true, rowsOf });
  const scope = newRowScope('stream');
  scope.reveal = (id) => view.reveal(id);
  // Enter opens the item in its Hub.
  scope.open = (item) => navigate(itemUrl(item));
  return { scope, view, present };
}

/** The end of a feed, where older items load before the user gets there. */
function FeedEnd({ feed: { list }, view }: { feed: KeptFeed; view: FeedView }) {
  return (
    <div class="feed-end">
      {list.older.value.status === 'loading' && <Loading what="Loading older posts" />}
      {list.hasOlder.value ? (
        <FeedEdge list={list} view={view} beginning={null} noun="older posts" />
      ) : (
        <p>You’ve reached the end.</p>
      )}
    </div>
  );
}

/** Focuses the row that had the focus when the feed was left, once it is drawn. */
function useFocusedRow(scope: RowScope, feed: KeptFeed): void {
  const awaited = useRef(feed.focused);
  useLayoutEffect(() => {
    const row = awaited.current === null ? null : rowElement(scope, awaited.current);
    if (!row) return;
    scope.chosen.value = awaited.current;
    awaited.current = null;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  });
  useLayoutEffect(
    () => () => {
      const current = scope.chosen.peek();
      const hasFocus = current !== null && rowElement(scope, current) === document.activeElement;
      feed.focused = hasFocus ? current : null;
    },
    [feed],
  );
}
