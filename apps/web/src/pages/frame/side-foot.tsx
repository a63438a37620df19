import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Settings from 'icon:settings';
import Sun from 'icon:sun';
import { useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { areShortcutsOn, setShortcutsOn } from '../../lib/keyboard/shortcuts.ts';
import type { Theme } from '../../lib/theme/stored-theme.ts';
import { chooseTheme, theme } from '../../lib/theme/theme.ts';
import { Avatar } from '../../ui/avatars/avatar.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useSignOut } from '../sign-in/use-sign-out.tsx';
import { ConnectionState } from './connection-state.tsx';

const THEMES: readonly { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'System theme', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
];

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
      {isOpen && button.current && (
        <Menu label={me.value.name} items={choices(leave)} opener={button.current} onClose={() => setOpen(false)} />
      )}
      {question}
    </div>
  );
}

function choices(leave: () => void): MenuItem[] {
  return [
    ...THEMES.map(({ value, label, icon: Icon }) => ({
      label,
      icon: <Icon />,
      isChosen: theme.peek() === value,
      run: () => chooseTheme(value),
    })),
    {
      label: 'Keyboard shortcuts',
      icon: <Keyboard />,
      isOn: areShortcutsOn.peek(),
      isNewGroup: true,
      run: () => setShortcutsOn(!areShortcutsOn.peek()),
    },
    { label: 'Sign out', icon: <LogOut />, isNewGroup: true, run: leave },
  ];
}
