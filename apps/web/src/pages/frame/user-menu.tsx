import { Keyboard, LogOut, Monitor, Moon, Sun } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { areShortcutsOn, setShortcutsOn } from '../../lib/keyboard/shortcuts.ts';
import type { Theme } from '../../lib/theme/stored-theme.ts';
import { chooseTheme, theme } from '../../lib/theme/theme.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useSignOut } from '../sign-in/use-sign-out.tsx';

const THEMES: readonly { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: 'system', label: 'System theme', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
];

/** The menu under the user's name, and the question before they sign out. */
export function UserMenu({ isOpen, opener, onClose }: { isOpen: boolean; opener: HTMLElement; onClose: () => void }) {
  const { name } = useWorkspace().me.value;
  const { leave, question } = useSignOut();
  return (
    <>
      {isOpen && <Menu label={name} items={choices(leave)} opener={opener} onClose={onClose} />}
      {question}
    </>
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
    ...(hasScreenKeyboard()
      ? []
      : [
          {
            label: 'Single-key shortcuts',
            icon: <Keyboard />,
            isOn: areShortcutsOn.peek(),
            isNewGroup: true,
            run: () => setShortcutsOn(!areShortcutsOn.peek()),
          },
        ]),
    { label: 'Sign out', icon: <LogOut />, isNewGroup: true, run: leave },
  ];
}
