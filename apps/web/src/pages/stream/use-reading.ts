import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { allowMarkAsRead, keptUnread } from '../../data/live/kept-unread.ts';
import { useWorkspace, type Workspace } from '../../data/live/workspace.ts';
import { hasAttention } from '../../lib/attention.ts';
import { route } from '../../lib/router/location.ts';
import type { FeedView } from '../feed/feed-view.ts';
import type { KeptFeed } from './stream-list.ts';
import { ViewTracker } from './view-tracker.ts';

/** How long an item must be in view to count as read. */
const READ_MS = 3_000;

/**
 * Marks the items that the user has seen in a feed as read: for each kind and Hub, up to the first unread item that
 * they have not seen. They stay shown as new until the user looks away.
 */
export function useReading(log: RefObject<HTMLElement | null>, feed: KeptFeed, view: FeedView): void {
  const workspace = useWorkspace();
  const { held } = feed;
  const isLooking = hasAttention.value;
  const watch = useMemo(() => watchSight(log, { feed, view }, () => report(workspace, feed)), [feed]);
  useEffect(watch.update);
  useEffect(() => {
    if (!isLooking) return;
    const scroller = log.current?.parentElement;
    const { path } = route.peek();
    const listeners = new AbortController();
    const passive = { passive: true, signal: listeners.signal };
    scroller?.addEventListener('scroll', watch.update, passive);
    // An arriving post scrolls the feed, too.
    const move = () => {
      allowMarkAsRead();
      watch.update();
    };
    for (const moved of ['wheel', 'touchmove', 'keydown']) scroller?.addEventListener(moved, move, passive);
    return () => {
      watch.stop();
      listeners.abort();
      // Changing the filter does not count as looking away.
      if (!hasAttention.peek() || route.peek().path !== path) held.value = new Set();
    };
  }, [feed, isLooking]);
}

/** Records in the feed which new items have been in view long enough, and calls `onSeen` when there are more. */
function watchSight(
  log: RefObject<HTMLElement | null>,
  { feed: { seen }, view }: { feed: KeptFeed; view: FeedView },
  onSeen: () => void,
) {
  const tracker = new ViewTracker(READ_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    const waitMs = tracker.waitMs(performance.now());
    if (waitMs !== null) timer ??= setTimeout(count, waitMs);
  };
  const count = () => {
    timer = undefined;
    const more = tracker.takeSeen(performance.now());
    const { repeats } = view.drawn.peek();
    for (const id of more.flatMap((row) => [row, ...(repeats.get(row)?.older.map((item) => item.id) ?? [])]))
      seen.add(id);
    if (more.length > 0) onSeen();
    wait();
  };
  return {
    update: () => {
      const scroller = log.current?.parentElement;
      if (!scroller || !hasAttention.peek()) return;
      if (keptUnread.peek() !== null) {
        // Once the user scrolls, they have to see the items again.
        seen.clear();
        tracker.update([], performance.now());
        return;
      }
      const fresh = newInSight(scroller).filter((id) => !seen.has(id));
      tracker.update(fresh, performance.now());
      wait();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      tracker.update([], performance.now());
    },
  };
}

function newInSight(scroller: HTMLElement): string[] {
  const box = scroller.getBoundingClientRect();
  return [...scroller.querySelectorAll<HTMLElement>('.is-fresh')]
    .filter((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      return top < box.bottom && bottom > box.top;
    })
    .map(({ dataset }) => dataset.item ?? '');
}

/** Reports seen items to the server. Mentions are marked as read individually, whether or not older items are read. */
function report({ hubs }: Workspace, { list, held, seen }: KeptFeed): void {
  if (keptUnread.peek() !== null) return;
  const addressed = [...hubs.mentions.ids.peek()].filter((id) => seen.has(id));
  if (addressed.length > 0) held.value = new Set([...held.peek(), ...addressed]);
  hubs.mentions.markRead(addressed).catch(() => {});
  const unread = list.items.peek().filter((item) => hubs.isUnread(item));
  for (const { id: hubId, unreadCounts } of hubs.mine.peek()) {
    for (const kind of ITEM_KINDS) {
      const count = unreadCounts?.[kind] ?? 0;
      const here = unread.filter((item) => item.hubId === hubId && item.kind === kind);
      // Some unread items are not loaded or are filtered out, so no range can be marked as read.
      if (here.length < count || count >= MAX_UNREAD_COUNT) continue;
      const end = here.findIndex(({ id }) => !seen.has(id));
      const ownRead = end < 0 ? here : here.slice(0, end);
      const last = ownRead.at(-1);
      if (!last) continue;
      held.value = new Set([...held.peek(), ...ownRead.map(({ id }) => id)]);
      const seq = end < 0 ? (hubs.find(hubId)?.seq ?? 0) : last.seq;
      hubs.markRead(hubId, seq, kind).catch(() => {});
    }
  }
}
