import type { Item } from '@hub/contract';
import { ITEM_KINDS } from '@hub/contract/item-kinds';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isAttending } from '../hub/attention.ts';
import { place } from '../router/location.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import type { KeptFeed } from './kept-feed.ts';

/** Whoever has looked for so long has read. */
const READ_MS = 5_000;
/** The server counts no further. */
const MOST_COUNTED = 100;

/**
 * Marks as read what somebody has seen in a feed, as far as he has seen all that is older and unread of its kind in its Hub.
 * It stays shown as new until he looks away.
 */
export function useReading(scroller: RefObject<HTMLElement | null>, feed: KeptFeed): (item: Item) => boolean {
  const { hubs } = useWorkspace();
  const { list, held, seen } = feed;
  const isLooking = isAttending.value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const look = () => {
    const box = scroller.current?.getBoundingClientRect();
    if (!box || !isAttending.peek()) return;
    for (const entry of scroller.current?.querySelectorAll<HTMLElement>('.is-fresh') ?? []) {
      const { top, bottom } = entry.getBoundingClientRect();
      if (top >= box.bottom || bottom <= box.top || seen.has(entry.dataset.item)) continue;
      seen.add(entry.dataset.item);
      timer.current ??= setTimeout(tell, READ_MS);
    }
  };
  const tell = () => {
    timer.current = undefined;
    const unread = list.items.peek().filter((item) => hubs.isUnread(item));
    for (const { id: hubId, unreadCounts } of hubs.mine.peek()) {
      for (const kind of ITEM_KINDS) {
        const count = unreadCounts?.[kind] ?? 0;
        const here = unread.filter((item) => item.hubId === hubId && item.kind === kind);
        // Some of them are not loaded, or filtered out: between them, nothing can be marked.
        if (here.length < count || count >= MOST_COUNTED) continue;
        const end = here.findIndex(({ id }) => !seen.has(id));
        const read = end < 0 ? here : here.slice(0, end);
        const last = read.at(-1);
        if (!last) continue;
        held.value = new Set([...held.peek(), ...read.map(({ id }) => id)]);
        const seq = end < 0 ? (hubs.find(hubId)?.seq ?? 0) : last.seq;
        hubs.markRead(hubId, seq, kind).catch(() => {});
      }
    }
  };
  useEffect(look);
  useEffect(() => {
    if (!isLooking) return;
    const { current } = scroller;
    const { path } = place.peek();
    current?.addEventListener('scroll', look, { passive: true });
    return () => {
      clearTimeout(timer.current);
      current?.removeEventListener('scroll', look);
      // Another filter is another look at the same.
      if (isAttending.peek() && place.peek().path === path) return;
      tell();
      held.value = new Set();
    };
  }, [feed, isLooking]);
  return (item) => held.value.has(item.id) || hubs.isUnread(item);
}
