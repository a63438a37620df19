import type { Item } from '@hub/contract';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { hasAttention } from '../hub/attention.ts';
import { place } from '../router/location.ts';
import { useWorkspace, type Workspace } from '../workspace/workspace.ts';
import { InSight } from './in-sight.ts';
import type { KeptFeed } from './kept-feed.ts';

/** Whoever has looked for so long has read; whoever leaves sooner has not. */
const READ_MS = 3_000;
/** The server counts no further. */
const MAX_COUNTED = 100;

/**
 * Marks as read what somebody has seen in a feed, as far as he has seen all that is older and unread of its kind in its Hub.
 * It stays shown as new until he looks away.
 */
export function useReading(scroller: RefObject<HTMLElement | null>, feed: KeptFeed): (item: Item) => boolean {
  const workspace = useWorkspace();
  const { held } = feed;
  const isLooking = hasAttention.value;
  const watch = useMemo(() => watchSight(scroller, feed, () => report(workspace, feed)), [feed]);
  useEffect(watch.look);
  useEffect(() => {
    if (!isLooking) return;
    const { current } = scroller;
    const { path } = place.peek();
    current?.addEventListener('scroll', watch.look, { passive: true });
    return () => {
      watch.stop();
      current?.removeEventListener('scroll', watch.look);
      // Another filter is another look at the same.
      if (!hasAttention.peek() || place.peek().path !== path) held.value = new Set();
    };
  }, [feed, isLooking]);
  return (item) => held.value.has(item.id) || feed.isNew(item);
}

/** Notes in the feed what new ones have been in sight long enough, and calls `onSeen` whenever there are more. */
function watchSight(scroller: RefObject<HTMLElement | null>, { seen }: KeptFeed, onSeen: () => void) {
  const inSight = new InSight(READ_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    const waitMs = inSight.waitMs(performance.now());
    if (waitMs !== null) timer ??= setTimeout(count, waitMs);
  };
  const count = () => {
    timer = undefined;
    const more = inSight.takeSeen(performance.now());
    for (const id of more) seen.add(id);
    if (more.length > 0) onSeen();
    wait();
  };
  return {
    look: () => {
      if (!scroller.current || !hasAttention.peek()) return;
      const fresh = newInSight(scroller.current).filter((id) => !seen.has(id));
      inSight.look(fresh, performance.now());
      wait();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      inSight.look([], performance.now());
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

/** Tells the server what was seen. What is addressed to the reader is read for itself, whatever is older. */
function report({ hubs }: Workspace, { list, held, seen }: KeptFeed): void {
  const addressed = [...hubs.mentions.ids.peek()].filter((id) => seen.has(id));
  if (addressed.length > 0) held.value = new Set([...held.peek(), ...addressed]);
  hubs.mentions.markRead(addressed).catch(() => {});
  const unread = list.items.peek().filter((item) => hubs.isUnread(item));
  for (const { id: hubId, unreadCounts } of hubs.mine.peek()) {
    for (const kind of ITEM_KINDS) {
      const count = unreadCounts?.[kind] ?? 0;
      const here = unread.filter((item) => item.hubId === hubId && item.kind === kind);
      // Some of them are not loaded, or filtered out: between them, nothing can be marked.
      if (here.length < count || count >= MAX_COUNTED) continue;
      const end = here.findIndex(({ id }) => !seen.has(id));
      const read = end < 0 ? here : here.slice(0, end);
      const last = read.at(-1);
      if (!last) continue;
      held.value = new Set([...held.peek(), ...read.map(({ id }) => id)]);
      const seq = end < 0 ? (hubs.find(hubId)?.seq ?? 0) : last.seq;
      hubs.markRead(hubId, seq, kind).catch(() => {});
    }
  }
}
