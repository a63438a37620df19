import Keyboard from 'icon:keyboard';
import LogOut from 'icon:log-out';
import Monitor from 'icon:monitor';
import Moon from 'icon:moon';
import Sun from 'icon:sun';
import { useWorkspace } from '../../data/live/workspace.ts';
import { areShortcutsOn, setShortcutsOn } from '../../lib/keyboard/shortcuts.ts';
import type { Theme } from '../../lib/theme/stored-theme.ts';
import { chooseTheme, theme } from '../../lib/theme/theme.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';

const THEMES: readonly { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'System theme', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
];

interface UserMenuProps {
  opener: HTMLElement;
  onLeave: () => void;
  onClose: () => void;
}

/** The menu under the user's name. */
export function UserMenu({ opener, onLeave, onClose }: UserMenuProps) {
  const { name } = useWorkspace().me.value;
  return <Menu label={name} items={choices(onLeave)} opener={opener} onClose={onClose} />;
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
