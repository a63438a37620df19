import MenuIcon from 'icon:menu';
import { useWorkspace } from '../workspace/workspace.ts';
import { isDrawerOpen, openDrawer } from './drawer.ts';
import { countText } from './unread-count.tsx';

/** Opens the sidebar on narrow screens; the first button in the bar of every page. */
export function MenuButton({ opens = 'Hubs' }: { opens?: string }) {
  const unread = useWorkspace().hubs.unreadCount.value;
  return (
    <button
      class="icon-btn menu-open"
      type="button"
      aria-label={unread === 0 ? opens : `${opens}, ${countText(unread)} unread`}
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
