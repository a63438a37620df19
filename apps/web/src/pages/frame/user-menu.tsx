import { CircleUser, Keyboard, LogOut, SunMoon } from 'icons';
import { useWorkspace } from '../../data/live/workspace.ts';
import { ways } from '../../data/session/session.ts';
import { navigate } from '../../lib/router/location.ts';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useSignOut } from '../sign-in/use-sign-out.tsx';
import { showShortcuts } from './frame-shortcuts.tsx';

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

function choices(leave: (to?: string) => void): MenuItem[] {
  const { name } = ways.value?.provider ?? {};
  return [
    { label: 'Profile', icon: <CircleUser />, run: () => navigate('/settings/profile') },
    { label: 'Appearance', icon: <SunMoon />, run: () => navigate('/settings/appearance') },
    ...(hasScreenKeyboard() ? [] : [{ label: 'Keyboard shortcuts', icon: <Keyboard />, run: showShortcuts }]),
    { label: 'Sign out', icon: <LogOut />, isNewGroup: true, run: () => leave() },
    ...(name === undefined
      ? []
      : [{ label: `Sign out at ${name}, too`, icon: <LogOut />, run: () => leave('/sign-out') }]),
  ];
}
