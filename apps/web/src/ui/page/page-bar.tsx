import { Menu as MenuIcon } from 'icons';
import type { ComponentChildren } from 'preact';
import { useWorkspace } from '../../data/live/workspace.ts';
import { countText, isDrawerOpen, openDrawer } from './navigation.tsx';

/** The bar above a page, with its title and actions. */
export function PageBar({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header class="bar">
      <MenuButton />
      <h1 class="bar-title">
        <span>{title}</span>
      </h1>
      {children && <div class="bar-end">{children}</div>}
    </header>
  );
}

/** Opens the sidebar on narrow screens; the first button in the bar of every page. */
export function MenuButton() {
  const unread = useWorkspace().hubs.unreadCount.value;
  return (
    <button
      class="icon-btn menu-open"
      type="button"
      aria-label={unread === 0 ? 'Hubs' : `Hubs, ${countText(unread)} unread`}
      aria-expanded={isDrawerOpen.value}
      aria-controls="nav"
      onClick={({ currentTarget }) => openDrawer(currentTarget)}
    >
      <MenuIcon size="m" />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {countText(unread)}
        </span>
      )}
    </button>
  );
}
