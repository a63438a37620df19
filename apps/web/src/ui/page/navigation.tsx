import { MAX_UNREAD_COUNT } from '@hub/contract/common-limits';
import { computed, effect, signal } from '@preact/signals';
import { Menu as MenuIcon } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { addLayer, route, withQuery } from '../../lib/router/location.ts';
import { isNarrow } from '../../lib/widths.ts';

interface NavRowProps {
  to: string;
  isCurrent: boolean;
  isUnread?: boolean;
  isMuted?: boolean;
  children: ComponentChildren;
}

export function NavRow({ to, isCurrent, isUnread = false, isMuted = false, children }: NavRowProps) {
  const row = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent && !isNarrow.peek() && row.current) reveal(row.current);
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

/** Scrolls its list to a row. `scrollIntoView` would also make Tab start at it, behind the skip link (Chromium 150). */
function reveal(row: HTMLElement): void {
  const list = row.closest('.side-scroll');
  if (!list) return;
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
  else if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
}

/** Returns an unread count: the server's stop at a limit. */
export function unreadText(count: number): string {
  return count < MAX_UNREAD_COUNT ? String(count) : `${MAX_UNREAD_COUNT - 1}+`;
}

export function UnreadCount({ count, noun = 'unread' }: { count: number; noun?: string }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {unreadText(count)}
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
function openDrawer(from: HTMLElement): void {
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

interface PageProps {
  title: string;
  bar?: ComponentChildren;
  isBusy?: boolean;
  children?: ComponentChildren;
}

export function Page({ title, bar, isBusy, children }: PageProps) {
  return (
    <main class="main" id="main" aria-busy={isBusy}>
      <header class="bar">
        <MenuButton />
        <h1 class="bar-title">
          <span>{title}</span>
        </h1>
        {bar && <div class="bar-end">{bar}</div>}
      </header>
      {children}
    </main>
  );
}

/** Opens the sidebar on narrow screens; the first button in the bar of every page. */
export function MenuButton() {
  const unread = useWorkspace().hubs.unreadCount.value;
  return (
    <button
      class="icon-btn menu-open"
      type="button"
      aria-label={unread === 0 ? 'Hubs' : `Hubs, ${unreadText(unread)} unread`}
      aria-expanded={isDrawerOpen.value}
      aria-controls="nav"
      onClick={({ currentTarget }) => openDrawer(currentTarget)}
    >
      <MenuIcon size="m" />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {unreadText(unread)}
        </span>
      )}
    </button>
  );
}
