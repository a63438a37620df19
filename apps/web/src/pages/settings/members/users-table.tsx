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
import { useWorkspace } from '../../../data/live/workspace.ts';
import { navigate } from '../../../lib/router/location.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Cell, Row, Table } from '../../../ui/forms/table.tsx';
import { useRowFocus } from '../../../ui/forms/use-row-focus.ts';
import { When } from '../../../ui/items/when.tsx';
import { type MenuItem, MenuOpener } from '../../../ui/menu.tsx';
import { EnableDialog, ResetDialog, RoleDialog } from './account-dialogs.tsx';
import { DisableDialog, HoldingsDialog } from './holdings-dialogs.tsx';
import { canManage, isOnlyOwner, ROLE_LABELS } from './users-list.ts';

interface MembersTableProps {
  users: readonly User[];
  all: readonly User[];
  onChanged: () => Promise<void>;
}

/** The table of members and the dialog of the current action, which stays open if its row disappears. */
export function MembersTable({ users, all, onChanged }: MembersTableProps) {
  const [action, setAction] = useState<{ name: Action; user: User } | null>(null);
  const onClose = () => setAction(null);
  useRowFocus({ subject: action?.user ?? null, isOpen: action !== null, list: users });
  return (
    <>
      {users.length > 0 && <Rows users={users} all={all} onAction={(name, user) => setAction({ name, user })} />}
      {action?.name === 'role' && <RoleDialog user={action.user} onChanged={onChanged} onClose={onClose} />}
      {action?.name === 'reset' && <ResetDialog user={action.user} onClose={onClose} />}
      {action?.name === 'disable' && (
        <DisableDialog
          user={action.user}
          onDisabled={async (isMuchLeft) => {
            await onChanged();
            setAction(isMuchLeft ? { name: 'holdings', user: { ...action.user, disabledAt: '' } } : null);
          }}
          onClose={onClose}
        />
      )}
      {action?.name === 'enable' && <EnableDialog user={action.user} onChanged={onChanged} onClose={onClose} />}
      {action?.name === 'holdings' && <HoldingsDialog user={action.user} onClose={onClose} />}
    </>
  );
}

interface RowsProps extends Pick<MembersTableProps, 'users' | 'all'> {
  onAction: (name: Action, user: User) => void;
}

function Rows({ users, all, onAction }: RowsProps) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const columns = [
    { title: 'Member', isTitleHidden: true },
    { title: 'Role', class: 'c-state' },
    { title: 'Last seen', class: 'c-used' },
    { title: 'Actions', isTitleHidden: true, class: 'c-actions' },
  ];
  return (
    <>
      <h2 class="hub-head">
        Members <span class="num">{users.length}</span>
      </h2>
      <Table class="keys users" label="Members" columns={isAdmin ? columns : columns.slice(0, 2)}>
        {users.map((user) => (
          <MemberRow
            key={user.id}
            user={user}
            isOnlyOwner={isOnlyOwner(all, user)}
            onAction={(name) => onAction(name, user)}
          />
        ))}
      </Table>
    </>
  );
}

/** Actions on a user. */
type Action = 'role' | 'reset' | 'disable' | 'enable' | 'holdings';

interface MemberRowProps {
  user: User;
  isOnlyOwner: boolean;
  onAction: (action: Action) => void;
}

function MemberRow({ user, isOnlyOwner, onAction }: MemberRowProps) {
  const me = useWorkspace().me.value;
  const { id, name, email, role, disabledAt, lastSeenAt } = user;
  return (
    <Row class={disabledAt === null ? '' : 'is-quiet'} data-row-id={id}>
      <Cell class="t-name">
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
      </Cell>
      <Cell class="t-state">
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
      </Cell>
      {me.role !== 'member' && (
        <Cell class="t-used">
          <span class="narrow-label">Last seen: </span>
          {lastSeenAt === null ? 'Never' : <When at={lastSeenAt} />}
        </Cell>
      )}
      {me.role !== 'member' && (
        <Cell class="t-actions">
          <MemberMenu user={user} onAction={onAction} />
        </Cell>
      )}
    </Row>
  );
}

function MemberMenu({ user, onAction }: { user: User; onAction: (action: Action) => void }) {
  const me = useWorkspace().me.value;
  const label = `Actions for ${user.name}`;
  return (
    <div class="actions">
      <MenuOpener class="icon-btn" name={label} label={label} items={itemsFor} isRowFocus>
        <Ellipsis />
      </MenuOpener>
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
