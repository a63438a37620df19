import Ban from 'icon:ban';
import Eraser from 'icon:eraser';
import Info from 'icon:info';
import MessageSquare from 'icon:message-square';
import RefreshCwOff from 'icon:refresh-cw-off';
import RotateCw from 'icon:rotate-cw';
import ShieldAlert from 'icon:shield-alert';
import type { ApiKey } from '@hub/contract';
import { navigate } from '../../router/location.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import type { StartAction } from './actions.ts';
import { isIdle, isOver, isReplacementOf } from './key-state.ts';

interface MenuOptions {
  startAction: StartAction;
  /** Only admins can remove posts. */
  isAdmin: boolean;
  /** The predecessor, if it is loaded. */
  before: ApiKey | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

/** Returns the menu items for a key in its current state. */
export function keyMenu(key: ApiKey, { startAction, isAdmin, before, isOpen, onOpen }: MenuOptions): MenuItem[] {
  const nowMs = Date.now();
  const works = !isIdle(key, nowMs);
  const isHead = works && key.successorId === null;
  const seen: MenuItem[] = [
    { label: isOpen ? 'Hide details' : 'Show details', icon: <Info size="s" />, run: onOpen },
    {
      label: 'View posts',
      icon: <MessageSquare size="s" />,
      run: () => navigate(`/stream?key=${encodeURIComponent(key.id)}`),
    },
  ];
  const revoke = (how: 'revoke' | 'replace' | 'revoke-old') => () => startAction({ kind: 'revoke', key, how });
  const actions: MenuItem[] = [];
  if (isHead) {
    actions.push({ label: 'Rotate', icon: <RotateCw size="s" />, run: () => startAction({ kind: 'rotate', key }) });
    actions.push({
      label: 'Replace leaked key',
      icon: <ShieldAlert size="s" />,
      isBad: true,
      isNewGroup: true,
      run: revoke('replace'),
    });
    actions.push({ label: 'Revoke', icon: <Ban size="s" />, isBad: true, run: revoke('revoke') });
  } else if (works) {
    actions.push({
      label: 'Revoke now',
      icon: <RefreshCwOff size="s" />,
      isBad: true,
      isNewGroup: true,
      run: revoke('revoke-old'),
    });
  } else if (!isOver(key, nowMs)) {
    // Revoking the key keeps it from working again if its Hub is restored.
    actions.push({ label: 'Revoke', icon: <Ban size="s" />, isBad: true, isNewGroup: true, run: revoke('revoke') });
  }
  if (isAdmin && key.postCount > 0) {
    actions.push({
      label: 'Remove posts',
      icon: <Eraser size="s" />,
      isBad: true,
      isNewGroup: actions.length === 0,
      run: () => startAction({ kind: 'remove', key, outcome: null }),
    });
  }
  if (isAdmin && isReplacementOf(key, before) && before && before.postCount > 0) {
    // The leaked key is hidden with the revoked ones, so its posts can be removed from here.
    actions.push({
      label: 'Remove the old key’s posts',
      icon: <Eraser size="s" />,
      isBad: true,
      run: () => startAction({ kind: 'remove', key: before, outcome: null }),
    });
  }
  return [...seen, ...actions];
}
