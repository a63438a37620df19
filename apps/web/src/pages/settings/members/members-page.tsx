import type { User } from '@hub/contract';
import { Ban, Ellipsis, History, Link, LogOut, Plus, Shield, UserCheck, User as UserIcon, UserX } from 'icons';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { navigate } from '../../../lib/router/location.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { TogglePill } from '../../../ui/forms/choices.tsx';
import { FindField } from '../../../ui/forms/find-field.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Named, Table } from '../../../ui/forms/table.tsx';
import { useRowFocus } from '../../../ui/forms/use-row-focus.ts';
import { When } from '../../../ui/items/when.tsx';
import { type MenuItem, MenuOpener } from '../../../ui/menu.tsx';
import { EmptyState } from '../../../ui/page/empty-state.tsx';
import { InvitationsSection, InviteDialog } from './invitations.tsx';
import {
  DisableDialog,
  EnableDialog,
  ResetDialog,
  ResponsibilitiesDialog,
  RoleDialog,
  SignOutDialog,
} from './member-dialogs.tsx';
import { canManage, isOnlyOwner, loadMembers, ROLE_LABELS, shownMembers, type WorkspaceMembers } from './users-list.ts';

/** The members of the workspace. Admins invite members, change roles, and disable and enable accounts. */
export function MembersPage() {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const [isInviting, setInviting] = useState(false);
  const { state, reload } = useResource((signal) => loadMembers(isAdmin, signal), {
    key: String(isAdmin),
    topics: ['users'],
  });
  const about = isAdmin
    ? 'Everyone who can sign in. Members can read only the Hubs they’re in.'
    : 'Everyone who can sign in. Admins invite members and change roles.';
  return (
    <PageBody
      title="Members"
      about={about}
      action={
        isAdmin && (
          <Button variant="is-main" icon={<Plus />} label="Invite a member" onClick={() => setInviting(true)} />
        )
      }
    >
      <Loaded state={state} onRetry={reload}>
        {(members) => <Users {...members} onChanged={reload} />}
      </Loaded>
      {isInviting && <InviteDialog onInvited={reload} onClose={() => setInviting(false)} />}
    </PageBody>
  );
}

function Users({ users, invitations, onChanged }: WorkspaceMembers & { onChanged: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [areDisabledShown, setDisabledShown] = useState(false);
  const disabled = users.filter(({ disabledAt }) => disabledAt !== null).length;
  const members = shownMembers(users, { text, areDisabledShown });
  return (
    <>
      <div class="filters" role="group" aria-label="Filters">
        <FindField label="Find by name or e-mail" value={text} onValue={setText} />
        {disabled > 0 && (
          <TogglePill label="Show disabled" count={disabled} isOn={areDisabledShown} onChange={setDisabledShown} />
        )}
      </div>
      <p class="sr" role="status">
        {text.trim() !== '' && `${members.length} found`}
      </p>
      {members.length === 0 && (
        <NoMatches isMore={disabled > 0 && !areDisabledShown} onAll={() => setDisabledShown(true)} />
      )}
      <MembersTable users={members} all={users} onChanged={onChanged} />
      <InvitationsSection invitations={invitations} onChanged={onChanged} />
    </>
  );
}

function NoMatches({ isMore, onAll }: { isMore: boolean; onAll: () => void }) {
  return (
    <EmptyState title="No matching members">
      {isMore && <Button label="Search disabled members" onClick={onAll} />}
    </EmptyState>
  );
}

/** Actions on a user. */
type Action = 'role' | 'reset' | 'sign-out' | 'disable' | 'enable' | 'responsibilities';

interface MembersTableProps {
  users: readonly User[];
  all: readonly User[];
  onChanged: () => Promise<void>;
}

/** The table of members and the dialog of the current action, which stays open if its row disappears. */
function MembersTable({ users, all, onChanged }: MembersTableProps) {
  const [action, setAction] = useState<{ name: Action; user: User } | null>(null);
  const onClose = () => setAction(null);
  useRowFocus({ subject: action?.user ?? null, isOpen: action !== null, list: users });
  return (
    <>
      {users.length > 0 && <Rows users={users} all={all} onAction={(name, user) => setAction({ name, user })} />}
      {action?.name === 'role' && <RoleDialog user={action.user} onChanged={onChanged} onClose={onClose} />}
      {action?.name === 'reset' && <ResetDialog user={action.user} onClose={onClose} />}
      {action?.name === 'sign-out' && <SignOutDialog user={action.user} onClose={onClose} />}
      {action?.name === 'disable' && (
        <DisableDialog
          user={action.user}
          onDisabled={async (isMuchLeft) => {
            await onChanged();
            setAction(isMuchLeft ? { name: 'responsibilities', user: { ...action.user, disabledAt: '' } } : null);
          }}
          onClose={onClose}
        />
      )}
      {action?.name === 'enable' && <EnableDialog user={action.user} onChanged={onChanged} onClose={onClose} />}
      {action?.name === 'responsibilities' && <ResponsibilitiesDialog user={action.user} onClose={onClose} />}
    </>
  );
}

interface RowsProps extends Pick<MembersTableProps, 'users' | 'all'> {
  onAction: (name: Action, user: User) => void;
}

function Rows({ users, all, onAction }: RowsProps) {
  const me = useWorkspace().me.value;
  const columns: readonly Column<User>[] = [
    {
      title: 'Member',
      isTitleHidden: true,
      at: 'name',
      cell: ({ id, name, email }) => (
        <Named
          image={<Avatar id={id} name={name} kind="user" size="m" />}
          name={<bdi>{name}</bdi>}
          isYou={id === me.id}
          sub={email}
        />
      ),
    },
    {
      title: 'Role',
      at: 'state',
      cell: (user) => (
        <>
          {ROLE_LABELS[user.role]}
          {isOnlyOwner(all, user) && <span class="sub">Last owner: can’t be changed</span>}
          {user.disabledAt !== null && (
            <span class="sub with-time">
              <span class="state is-over">
                <Ban /> Disabled
              </span>{' '}
              <When at={user.disabledAt} />
            </span>
          )}
        </>
      ),
    },
    {
      title: 'Last seen',
      at: 'used',
      cell: ({ lastSeenAt }) => (
        <>
          <span class="narrow-label">Last seen: </span>
          {lastSeenAt === null ? 'Never' : <When at={lastSeenAt} />}
        </>
      ),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      at: 'actions',
      cell: (user) => <MemberMenu user={user} onAction={(name) => onAction(name, user)} />,
    },
  ];
  return (
    <>
      <h2 class="hub-head">
        Members <span class="num">{users.length}</span>
      </h2>
      <Table
        class="keys users"
        label="Members"
        columns={me.role === 'member' ? columns.slice(0, 2) : columns}
        rows={users}
        keyOf={({ id }) => id}
        attributes={({ id, disabledAt }) => ({ class: disabledAt === null ? '' : 'is-quiet', 'data-row-id': id })}
      />
    </>
  );
}

function MemberMenu({ user, onAction }: { user: User; onAction: (action: Action) => void }) {
  const me = useWorkspace().me.value;
  const label = `Actions for ${user.name}`;
  return (
    <div class="actions">
      <MenuOpener class="icon-btn" aria-label={label} label={label} items={itemsFor} data-row-focus>
        <Ellipsis />
      </MenuOpener>
    </div>
  );

  function itemsFor(): MenuItem[] {
    const { disabledAt } = user;
    const responsibilities: MenuItem = {
      label: 'Show keys and to-dos',
      icon: <History />,
      run: () => onAction('responsibilities'),
    };
    if (user.id === me.id) {
      return [
        { label: 'Your profile', icon: <UserIcon />, run: () => navigate('/settings/profile') },
        responsibilities,
      ];
    }
    if (!canManage(me, user)) return [responsibilities];
    const role: MenuItem = { label: 'Change role', icon: <Shield />, run: () => onAction('role') };
    if (disabledAt !== null) {
      return [{ label: 'Enable account', icon: <UserCheck />, run: () => onAction('enable') }, responsibilities, role];
    }
    return [
      role,
      { label: 'Create reset link', icon: <Link />, run: () => onAction('reset') },
      responsibilities,
      { label: 'Sign out everywhere', icon: <LogOut />, isNewGroup: true, run: () => onAction('sign-out') },
      { label: 'Disable account', icon: <UserX />, isDestructive: true, run: () => onAction('disable') },
    ];
  }
}
