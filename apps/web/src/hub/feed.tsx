import type { Item, Message } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { DayHead } from '../item-text/day-head.tsx';
import type { ItemList } from '../items/item-list.ts';
import { dayHead } from '../time/format.ts';
import { now } from '../time/now.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { FeedEdge, NewLine } from './feed-marks.tsx';
import { beginsDay, countOfOthers, firstAfter, isHeadless, placeOfSeq } from './feed-rows.ts';
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
  /** The unread line stands before what others wrote after this event. */
  unreadAfter?: number | null;
  /** How many of them there are, as far as the server counts. */
  unreadCount?: number;
  /** Called when the reader has moved. */
  onMove?: (spot: Spot) => void;
  /** Stands where the oldest message is preceded by nothing. */
  beginning?: ComponentChildren;
  /** Stands before all messages, also those that are not loaded. */
  head?: ComponentChildren;
  /** What the messages are about: a day that is its own is not named again. */
  follows?: Message;
  /** Stands behind the newest message. */
  children?: ComponentChildren;
}

/** A conversation, as long as it may be: `role="log"`, one stop for the Tab key. */
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
    const isHeld = () => scope.editing.peek() !== null || scope.overlay.peek() !== null;
    return view.attach(new FeedScroll(element, rows.current), isHeld);
  }, [view, scope]);

  const { items, start, end: stop } = view.drawn.value;
  useLayoutEffect(() => view.settle());
  useEffect(() => {
    const element = root.current;
    const report = () => onMove?.(view.spot);
    element?.addEventListener('scroll', report, { passive: true });
    return () => element?.removeEventListener('scroll', report);
  }, [view, onMove]);

  // What all of the loaded came after may have others before it that are new as well.
  const isLineLoaded = unreadAfter !== null && (placeOfSeq(items, unreadAfter + 1) > 0 || !list.hasOlder.value);
  const line = isLineLoaded ? firstAfter(items, unreadAfter, myId) : -1;
  const lineCount = line < 0 ? '' : newText(countOfOthers(items, line, myId), list.hasNewer.value, unreadCount);
  let isDayDrawn = false;
  const drawn = items.slice(start, stop).map(({ id, createdAt }, n) => {
    const place = start + n;
    const item = items[place];
    const before = items[place - 1];
    const isDay = item !== undefined && beginsDay(item, before ?? (list.hasOlder.peek() ? undefined : follows));
    if (n === 0) isDayDrawn = isDay;
    const isNext = place !== line && isHeadless(items, place);
    const fresh = place === line ? lineCount : '';
    // Made anew each time, though a row rarely differs: Preact links each element to the tree it was first drawn in, so that one that is
    // used again would keep all rows that ever stood beside it.
    return (
      <div class="feed-row" key={id} data-id={id}>
        {isDay && <DayHead at={createdAt} Level={follows ? 'h3' : 'h2'} />}
        {fresh !== '' && <NewLine count={fresh} />}
        <MessageRow id={id} isNext={isNext} />
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
          <FeedEdge list={list} beginning={beginning} />
          <div ref={rows}>
            <div style={{ height: `${room.before}px` }}>
              {!follows && !isDayDrawn && <HiddenDay item={items[start]} />}
            </div>
            {drawn}
            <div style={{ height: `${room.after}px` }} />
          </div>
          {children}
          <span tabIndex={-1} ref={end} />
        </div>
      </div>
    </RowScopeContext.Provider>
  );
}

/** Of what is beyond the newest that is loaded, the server says how much it is, up to a limit. */
function newText(loaded: number, isMore: boolean, unreadCount: number): string {
  if (!isMore) return String(loaded);
  const { unreadCount: most } = LIMITS;
  return Math.max(loaded, unreadCount) < most ? String(Math.max(loaded, unreadCount)) : `${most}+`;
}

/** The headings in posts stand under that of their day, which may be further up than what is drawn. */
function HiddenDay({ item }: { item: Item | undefined }) {
  return item ? <h2 class="sr">{dayHead(item.createdAt, now.value).day}</h2> : null;
}
