import { computed, effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { addLayer } from '../../lib/router/layers.ts';
import { route, withQuery } from '../../lib/router/location.ts';
import { isNarrow } from '../../lib/widths.ts';

interface NavRowProps {
  to: string;
  isCurrent: boolean;
  isUnread?: boolean;
  isMuted?: boolean;
  children: ComponentChildren;
}

/** A row in the sidebar, which scrolls to that of the current page. */
export function NavRow({ to, isCurrent, isUnread = false, isMuted = false, children }: NavRowProps) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent && !isNarrow.peek()) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <a
      ref={row}
      class={`nav-row${isUnread ? ' is-unread' : ''}${isMuted ? ' is-muted' : ''}`}
      href={to}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {children}
    </a>
  );
}

const MAX_SHOWN = 99;

export function countText(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
}

export function UnreadCount({ count, noun = 'unread' }: { count: number; noun?: string }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {countText(count)}
      <span class="sr"> {noun}</span>
    </span>
  );
}

const isAskedFor = signal(false);
let opener: HTMLElement | null = null;
let removeLayer = () => {};

/** Whether the sidebar covers the page. On wide screens it is beside the page instead. */
export const isDrawerOpen = computed(() => isAskedFor.value && isNarrow.value);

/** Opens the drawer. `from` gets the focus back when it closes. */
export function openDrawer(from: HTMLElement): void {
  opener = from;
  isAskedFor.value = true;
  removeLayer = addLayer(() => closeDrawer());
}

/** Closes the drawer. `isLeaving`: another page opens, which takes the focus itself. */
export function closeDrawer({ isLeaving = false } = {}): void {
  if (!isAskedFor.peek()) return;
  isAskedFor.value = false;
  removeLayer();
  const to = opener;
  opener = null;
  // An inert element cannot take the focus, so wait for the render that makes it active.
  if (!isLeaving) requestAnimationFrame(() => to?.focus());
}

/** The path of the last page outside the settings, for their back link. */
export const lastPage = signal('/stream');

effect(() => {
  const { path, query } = route.value;
  if (path === '/settings' || path.startsWith('/settings/')) return;
  lastPage.value = withQuery(query);
});
