import Settings from 'icon:settings';
import { useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { lazy } from '../../ui/page/lazy.tsx';
import { useSignOut } from '../sign-in/use-sign-out.tsx';
import { ConnectionState } from './connection-state.tsx';

const UserMenu = lazy(async () => (await import('./user-menu.tsx')).UserMenu);

/** The foot of the sidebar: the user, their menu and the connection status. */
export function SideFoot() {
  const { me } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { leave, question } = useSignOut();
  return (
    <div class="side-foot">
      <button
        class="me"
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar id={me.value.id} name={me.value.name} kind="person" size="s" />
        <span>{me.value.name}</span>
      </button>
      <ConnectionState />
      <a class="icon-btn is-small" href="/settings" aria-label="Settings">
        <Settings />
      </a>
      {isOpen && button.current && <UserMenu opener={button.current} onLeave={leave} onClose={() => setOpen(false)} />}
      {question}
    </div>
  );
}
