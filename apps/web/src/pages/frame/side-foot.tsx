import Settings from 'icon:settings';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { ConnectionState } from './connection-state.tsx';

const UserMenu = lazy(async () => (await import('./user-menu.tsx')).UserMenu);

/** The foot of the sidebar: the user, their menu and the connection status. */
export function SideFoot() {
  const { me } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  /** Set once the menu was opened: its questions stay when it closes. */
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  return (
    <div class="side-foot">
      <button
        class="me"
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setOpener(currentTarget);
          setOpen(!isOpen);
        }}
      >
        <Avatar id={me.value.id} name={me.value.name} kind="person" size="s" />
        <span>{me.value.name}</span>
      </button>
      <ConnectionState />
      <a class="icon-btn is-small" href="/settings" aria-label="Settings">
        <Settings />
      </a>
      {opener && <UserMenu isOpen={isOpen} opener={opener} onClose={() => setOpen(false)} />}
    </div>
  );
}
