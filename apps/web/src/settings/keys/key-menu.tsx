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
import type { Begin } from './actions.ts';
import { isIdle, isOver, isReplacementOf } from './key-state.ts';

interface MenuOptions {
  begin: Begin;
  /** Removing posts is for admins. */
  isAdmin: boolean;
  /** The one that it came after. */
  before: ApiKey | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

/** All that can be done with a key as it stands. */
export function keyMenu(key: ApiKey, { begin, isAdmin, before, isOpen, onOpen }: MenuOptions): MenuItem[] {
  const nowMs = Date.now();
  const works = !isIdle(key, nowMs);
  const isHead = works && key.successorId === null;
  const seen: MenuItem[] = [
    { label: isOpen ? 'Hide details' : 'Show details', icon: <Info size="s" />, run: onOpen },
    {
      label: 'See its posts',
      icon: <MessageSquare size="s" />,
      run: () => navigate(`/stream?key=${encodeURIComponent(key.id)}`),
    },
  ];
  const stop = (how: 'revoke' | 'replace' | 'end') => () => begin({ kind: 'stop', key, how });
  const actions: MenuItem[] = [];
  if (isHead) {
    actions.push({ label: 'Rotate', icon: <RotateCw size="s" />, run: () => begin({ kind: 'rotate', key }) });
    actions.push({
      label: 'Replace, it leaked',
      icon: <ShieldAlert size="s" />,
      isBad: true,
      isNewGroup: true,
      run: stop('replace'),
    });
    actions.push({ label: 'Revoke', icon: <Ban size="s" />, isBad: true, run: stop('revoke') });
  } else if (works) {
    actions.push({
      label: 'End it now',
      icon: <RefreshCwOff size="s" />,
      isBad: true,
      isNewGroup: true,
      run: stop('end'),
    });
  } else if (!isOver(key, nowMs)) {
    // So that it does not work again when its Hub is restored.
    actions.push({ label: 'Revoke', icon: <Ban size="s" />, isBad: true, isNewGroup: true, run: stop('revoke') });
  }
  if (isAdmin && key.postCount > 0) {
    actions.push({
      label: 'Remove its posts',
      icon: <Eraser size="s" />,
      isBad: true,
      isNewGroup: actions.length === 0,
      run: () => begin({ kind: 'remove', key, stopped: null }),
    });
  }
  if (isAdmin && isReplacementOf(key, before) && before && before.postCount > 0) {
    // Of one that leaked, which stands among those that have ended: whoever stopped it looks here.
    actions.push({
      label: 'Remove posts of the old key',
      icon: <Eraser size="s" />,
      isBad: true,
      run: () => begin({ kind: 'remove', key: before, stopped: null }),
    });
  }
  return [...seen, ...actions];
}
