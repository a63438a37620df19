import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { route } from '../../lib/router/location.ts';
import { lazy } from '../../ui/page/lazy.tsx';
import { FeedScroll, HEAD, saveSpot } from './feed-scroll.ts';
import type { FeedView } from './feed-view.ts';
import { enterAsOne, moveFocus } from './row-keys.ts';
import { type RowScope, RowScopeContext } from './row-scope.ts';

const RowOverlay = lazy(async () => (await import('./row-overlay.tsx')).RowOverlay, { takesText: true });

interface FeedProps {
  label: string;
  view: FeedView;
  scope: RowScope;
  /** Returns what the row of the item at this index shows, with the headings above it. */
  renderRow: (index: number) => ComponentChildren;
  /** A heading before the first row, which is not seen. */
  hiddenHeading?: ComponentChildren;
  head?: ComponentChildren;
  children?: ComponentChildren;
  /** Whether the position is saved for when the user returns to this entry of the history. */
  isSpotSaved?: boolean;
  log?: RefObject<HTMLDivElement | null>;
}

/** A list of any length, of which only the rows near the view are drawn. It has `role="log"` and is a single Tab stop. */
export function Feed(props: FeedProps) {
  const { label, view, scope, renderRow, hiddenHeading, head, children, isSpotSaved = false } = props;
  const own = useRef<HTMLDivElement>(null);
  const log = props.log ?? own;
  const rows = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const { isNewestFirst } = view;
  useLayoutEffect(() => {
    const { current } = log;
    const scroller = isNewestFirst ? current?.parentElement : current;
    if (!current || !scroller || !rows.current) return;
    scope.root = () => current;
    const heldRow = () =>
      scope.editing.peek() ?? scope.overlay.peek()?.message.id ?? rowInUse(current)?.dataset.row ?? headInUse(current);
    return view.attach(new FeedScroll(scroller, rows.current, isNewestFirst), heldRow);
  }, [view, scope]);

  const { items, start, end: stop } = view.drawn.value;
  useLayoutEffect(() => view.settle());
  // Opening a panel adds a history entry too, and the feed behind it keeps its position.
  const { key } = route.value;
  useEffect(() => {
    if (!isSpotSaved) return;
    saveSpot(key, view.spot);
    const scroller = isNewestFirst ? log.current?.parentElement : log.current;
    const save = () => saveSpot(key, view.spot);
    scroller?.addEventListener('scroll', save, { passive: true });
    return () => scroller?.removeEventListener('scroll', save);
  }, [view, key]);

  // Created on each render, though a row rarely changes: Preact links each element to the tree it was first rendered in,
  // so a reused one would retain every row that was ever rendered beside it.
  const drawn = items.slice(start, stop).map(({ id }, n) => (
    <div class="feed-row" key={id} data-id={id}>
      {renderRow(start + n)}
    </div>
  ));
  const room = view.roomOf(view.drawn.value);
  const [above, below] = isNewestFirst ? [room.after, room.before] : [room.before, room.after];
  const content = (
    <div ref={rows}>
      <div style={{ height: `${above}px` }}>{hiddenHeading}</div>
      {isNewestFirst ? drawn.reverse() : drawn}
      <div style={{ height: `${below}px` }} />
    </div>
  );
  const logProps = {
    role: 'log',
    // Most rows that appear are old ones that scroll into view; a region of its own announces new posts.
    'aria-live': 'off',
    'aria-label': label,
    tabIndex: isNewestFirst && items.length === 0 ? -1 : 0,
    ref: log,
    onKeyDown: (event: KeyboardEvent) => moveFocus(event, scope, end.current),
    onFocusIn: (event: FocusEvent) => enterAsOne(event, scope),
  } as const;
  const after = <span tabIndex={-1} ref={end} />;
  return (
    <RowScopeContext.Provider value={scope}>
      {isNewestFirst ? (
        <div class="scroll" tabIndex={-1} role="region" aria-label={label}>
          {head}
          <div class="entries" {...logProps}>
            {content}
            {after}
          </div>
          {children}
        </div>
      ) : (
        <div class={view.isPlaced.value ? 'feed' : 'feed is-unplaced'} {...logProps}>
          <div class="feed-in">
            {head}
            {content}
            {children}
            {after}
          </div>
        </div>
      )}
      <RowOverlays scope={scope} />
    </RowScopeContext.Provider>
  );
}

function RowOverlays({ scope }: { scope: RowScope }) {
  const open = scope.overlay.value;
  if (!open) return null;
  // Another one may open before the browser has reported that the previous one is closed.
  return <RowOverlay key={'opener' in open ? open.opener : open.message.id} scope={scope} open={open} />;
}

function headInUse(feed: HTMLElement): string | null {
  return feed.querySelector(`[data-id="${HEAD}"]:focus-within`) && HEAD;
}

/** Returns the row whose buttons are in use, or in which text is selected. */
function rowInUse(feed: HTMLElement): HTMLElement | null | undefined {
  const { isCollapsed = true, anchorNode } = getSelection() ?? {};
  const place = isCollapsed
    ? feed.querySelector('.tools:hover, .repeats:is(:hover, :focus)')
    : anchorNode?.parentElement;
  return place && feed.contains(place) ? place.closest<HTMLElement>('[data-row]') : null;
}
