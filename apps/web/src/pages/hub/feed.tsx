import type { Item, Message } from '@hub/contract';
import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ItemList } from '../../data/items/item-list.ts';
import { useWorkspace } from '../../data/live/workspace.ts';
import { dayHeading } from '../../lib/time/format.ts';
import { now } from '../../lib/time/now.ts';
import { DayHeading } from '../../ui/items/when.tsx';
import { FeedEdge, NewDivider } from './feed-edges.tsx';
import { beginsDay, countOfOthers, firstAfter, indexOfSeq, isHeadless } from './feed-rows.ts';
import { FeedScroll, type Spot } from './feed-scroll.ts';
import type { FeedView } from './feed-view.ts';
import { MessageRow } from './message-row.tsx';
import { enterAsOne, tabThroughRow } from './row-keys.ts';
import { type RowScope, RowScopeContext } from './row-scope.ts';

interface FeedProps {
  label: string;
  list: ItemList;
  view: FeedView;
  scope: RowScope;
  /** The "New" divider goes above the first item by others after this event. */
  unreadAfter?: number | null;
  /** How many unread items there are, up to the server's limit. */
  unreadCount?: number;
  onMove?: (spot: Spot) => void;
  /** Shown above the oldest message of the Hub. */
  beginning?: ComponentChildren;
  /** Shown above all messages, including those that are not loaded. */
  head?: ComponentChildren;
  /** The item that the messages reply to. Its day already has a heading and does not get another. */
  follows?: Message;
  /** Shown below the newest message. */
  children?: ComponentChildren;
}

/** A conversation of any length. It has `role="log"` and is a single Tab stop. */
export function Feed(props: FeedProps) {
  const {
    label,
    list,
    view,
    scope,
    unreadAfter = null,
    unreadCount = 0,
    onMove,
    beginning = null,
    head,
    follows,
    children,
  } = props;
  const root = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const myId = useWorkspace().me.value.id;
  useLayoutEffect(() => {
    if (!root.current || !rows.current) return;
    const element = root.current;
    scope.root = () => element;
    const heldRow = () =>
      scope.editing.peek() ?? scope.overlay.peek()?.message.id ?? rowInUse(element)?.dataset.row ?? null;
    return view.attach(new FeedScroll(element, rows.current), heldRow);
  }, [view, scope]);

  const { items, repeats, start, end: stop } = view.drawn.value;
  useLayoutEffect(() => view.settle());
  useEffect(() => {
    const element = root.current;
    const report = () => onMove?.(view.spot);
    element?.addEventListener('scroll', report, { passive: true });
    return () => element?.removeEventListener('scroll', report);
  }, [view, onMove]);

  // If all loaded items are newer than the marker, older ones may be unread too.
  const isDividerLoaded = unreadAfter !== null && (indexOfSeq(items, unreadAfter + 1) > 0 || !list.hasOlder.value);
  const divider = isDividerLoaded ? firstAfter(items, unreadAfter, myId) : -1;
  const loaded = list.items.value;
  const newCount = countOfOthers(loaded, indexOfSeq(loaded, (unreadAfter ?? 0) + 1), myId);
  const dividerCount = divider < 0 ? '' : unreadLabel(newCount, list.hasNewer.value, unreadCount);
  let isDayDrawn = false;
  const rowElements = items.slice(start, stop).map(({ id, createdAt }, n) => {
    const index = start + n;
    const item = items[index];
    const before = items[index - 1];
    const isDay = item !== undefined && beginsDay(item, before ?? (list.hasOlder.peek() ? undefined : follows));
    if (n === 0) isDayDrawn = isDay;
    const isNext = index !== divider && isHeadless(items, index);
    const fresh = index === divider ? dividerCount : '';
    // Created on each render, though a row rarely changes: Preact links each element to the tree it was first rendered
    // in, so a reused one would retain every row that was ever rendered beside it.
    return (
      <div class="feed-row" key={id} data-id={id}>
        {isDay && <DayHeading at={createdAt} Level={follows ? 'h3' : 'h2'} />}
        {fresh !== '' && <NewDivider count={fresh} />}
        <MessageRow id={id} isNext={isNext} repeats={repeats.get(id)} />
      </div>
    );
  });
  const room = view.roomOf({ items, start, end: stop });
  return (
    <RowScopeContext.Provider value={scope}>
      <div
        class={view.isPlaced.value ? 'feed' : 'feed is-unplaced'}
        role="log"
        aria-label={label}
        aria-relevant="additions"
        tabIndex={0}
        ref={root}
        onKeyDown={(event) => tabThroughRow(event, scope, end.current)}
        onFocusIn={(event) => enterAsOne(event, scope)}
      >
        <div class="feed-in">
          {head}
          <FeedEdge list={list} view={view} beginning={beginning} />
          <div ref={rows}>
            <div style={{ height: `${room.before}px` }}>
              {!follows && !isDayDrawn && <HiddenDay item={items[start]} />}
            </div>
            {rowElements}
            <div style={{ height: `${room.after}px` }} />
          </div>
          {children}
          <span tabIndex={-1} ref={end} />
        </div>
      </div>
    </RowScopeContext.Provider>
  );
}

/** Returns the label of the unread count. The server counts the items after the newest loaded one, up to a limit. */
function unreadLabel(loaded: number, isMore: boolean, unreadCount: number): string {
  if (!isMore) return String(loaded);
  const count = Math.max(loaded, unreadCount);
  return count < MAX_UNREAD_COUNT ? String(count) : `${MAX_UNREAD_COUNT}+`;
}

/** A hidden day heading above the headings in posts, since the visible one may not be drawn. */
function HiddenDay({ item }: { item: Item | undefined }) {
  return item ? <h2 class="sr">{dayHeading(item.createdAt, now.value).day}</h2> : null;
}

/** Returns the row whose buttons are in use, or in which text is selected. */
function rowInUse(feed: HTMLElement): HTMLElement | null | undefined {
  const { isCollapsed = true, anchorNode } = getSelection() ?? {};
  const place = isCollapsed
    ? feed.querySelector('.tools:hover, .repeats:is(:hover, :focus)')
    : anchorNode?.parentElement;
  return place && feed.contains(place) ? place.closest<HTMLElement>('[data-row]') : null;
}
