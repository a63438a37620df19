import Ban from 'icon:ban';
import Ellipsis from 'icon:ellipsis';
import History from 'icon:history';
import Link from 'icon:link';
import Shield from 'icon:shield';
import UserIcon from 'icon:user';
import UserCheck from 'icon:user-check';
import UserX from 'icon:user-x';
import type { User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Avatar } from '../../avatars/avatar.tsx';
import { When } from '../../item-text/when.tsx';
import { navigate } from '../../router/location.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AS_CELL, AS_ROW } from '../table-roles.ts';
import { canManage, ROLE_LABELS } from './users-list.ts';

/** Actions on a user. */
export type Action = 'role' | 'reset' | 'disable' | 'enable' | 'holdings';

interface MemberRowProps {
  user: User;
  isOnlyOwner: boolean;
  onAction: (action: Action) => void;
}

export function MemberRow({ user, isOnlyOwner, onAction }: MemberRowProps) {
  const me = useWorkspace().me.value;
  const { id, name, email, role, disabledAt, lastSeenAt } = user;
  return (
    <tr class={disabledAt === null ? '' : 'is-quiet'} data-row-id={id} {...AS_ROW}>
      <td class="t-name" {...AS_CELL}>
        <span class="name">
          <Avatar id={id} name={name} kind="person" size="m" />
          <span>
            <b>
              <bdi>{name}</bdi>
              {id === me.id && <span class="you"> (you)</span>}
            </b>
            <span class="sub">{email}</span>
          </span>
        </span>
      </td>
      <td class="t-state" {...AS_CELL}>
        {ROLE_LABELS[role]}
        {isOnlyOwner && <span class="sub">Last owner: can’t be changed</span>}
        {disabledAt !== null && (
          <span class="sub with-time">
            <span class="state is-over">
              <Ban /> Disabled
            </span>{' '}
            <When at={disabledAt} />
          </span>
        )}
      </td>
      {me.role !== 'member' && (
        <td class="t-used" {...AS_CELL}>
          <span class="narrow-label">Last seen: </span>
          {lastSeenAt === null ? 'Never' : <When at={lastSeenAt} />}
        </td>
      )}
      {me.role !== 'member' && (
        <td class="t-actions" {...AS_CELL}>
          <MemberMenu user={user} onAction={onAction} />
        </td>
      )}
    </tr>
  );
}

function MemberMenu({ user, onAction }: { user: User; onAction: (action: Action) => void }) {
  const me = useWorkspace().me.value;
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const label = `Actions for ${user.name}`;
  return (
    <div class="actions">
      <button
        class="icon-btn"
        type="button"
        aria-label={label}
        data-row-focus
        aria-haspopup="menu"
        aria-expanded={opener !== null}
        onClick={({ currentTarget }) => setOpener(currentTarget)}
      >
        <Ellipsis />
      </button>
      {opener && <Menu label={label} opener={opener} onClose={() => setOpener(null)} items={itemsFor()} />}
    </div>
  );

  function itemsFor(): MenuItem[] {
    const { name, disabledAt } = user;

    const holdings: MenuItem = {
      label: `${name}’s keys and to-dos`,
      icon: <History />,
      run: () => onAction('holdings'),
    };
    if (user.id === me.id) {
      return [{ label: 'Your profile', icon: <UserIcon />, run: () => navigate('/settings/profile') }, holdings];
    }
    if (!canManage(me, user)) return [holdings];
    const role: MenuItem = { label: 'Change role', icon: <Shield />, run: () => onAction('role') };
    if (disabledAt !== null) {
      return [{ label: 'Enable account', icon: <UserCheck />, run: () => onAction('enable') }, holdings, role];
    }
    return [
      role,
      { label: 'Create reset link', icon: <Link />, run: () => onAction('reset') },
      holdings,
      { label: 'Disable account', icon: <UserX />, isBad: true, isNewGroup: true, run: () => onAction('disable') },
    ];
  }
}
