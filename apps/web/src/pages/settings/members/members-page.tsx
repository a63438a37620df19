import type { User } from '@hub/contract';
import {
  Ban,
  Ellipsis,
  History,
  KeyRound,
  Link,
  LogOut,
  Plus,
  Shield,
  UserCheck,
  User as UserIcon,
  UserX,
} from 'icons';
import { useState } from 'preact/hooks';
import { useResource, useWorkspace } from '../../../data/live/workspace.ts';
import { navigate } from '../../../lib/router/location.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Loaded, PageBody } from '../../../ui/forms/page-body.tsx';
import { type Column, Named, SettingsList } from '../../../ui/forms/table.tsx';
import { When } from '../../../ui/items/when.tsx';
import { type MenuItem, MenuOpener } from '../../../ui/menu.tsx';
import { EmptyState } from '../../../ui/page/load-states.tsx';
import { InvitationsSection, InviteDialog } from './invitations.tsx';
import { type MemberAction, MemberDialog } from './member-dialogs.tsx';
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
        isAdmin && <Button variant="is-main" icon={<Plus />} label="Invite members" onClick={() => setInviting(true)} />
      }
    >
      <Loaded state={state} onRetry={reload}>
        {(members) => <Users {...members} onChanged={reload} />}
      </Loaded>
      {isInviting && <InviteDialog onInvited={reload} onClose={() => setInviting(false)} />}
    </PageBody>
  );
}

function Users({ users: all, invitations, onChanged }: WorkspaceMembers & { onChanged: () => Promise<void> }) {
  const me = useWorkspace().me.value;
  const [text, setText] = useState('');
  const [areDisabledShown, setDisabledShown] = useState(false);
  const [action, setAction] = useState<MemberAction | null>(null);
  const disabled = all.filter(({ disabledAt }) => disabledAt !== null).length;
  const users = shownMembers(all, { text, areDisabledShown });
  const columns: readonly Column<User>[] = [
    {
      title: 'Member',
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
      at: 'actions',
      cell: (user) => <MemberMenu user={user} onAction={(name) => setAction({ name, user })} />,
    },
  ];
  return (
    <>
      <SettingsList
        title="Members"
        find={{ label: 'Find by name or e-mail', value: text, onValue: setText }}
        toggle={{ label: 'Show disabled', count: disabled, isOn: areDisabledShown, onChange: setDisabledShown }}
        columns={me.role === 'member' ? columns.slice(0, 2) : columns}
        rows={users}
        attributes={({ disabledAt }) => ({ class: disabledAt === null ? '' : 'is-quiet' })}
        empty={
          <EmptyState title="No matching members">
            {disabled > 0 && !areDisabledShown && (
              <Button label="Search disabled members" onClick={() => setDisabledShown(true)} />
            )}
          </EmptyState>
        }
      />
      {/* It stays open if its row disappears. */}
      {action && <MemberDialog {...action} onAction={setAction} onChanged={onChanged} />}
      <InvitationsSection invitations={invitations} onChanged={onChanged} />
    </>
  );
}

function MemberMenu({ user, onAction }: { user: User; onAction: (name: MemberAction['name']) => void }) {
  const me = useWorkspace().me.value;
  const label = `Actions for ${user.name}`;
  return (
    <div class="actions">
      <MenuOpener class="icon-btn" aria-label={label} label={label} items={itemsFor}>
        <Ellipsis />
      </MenuOpener>
    </div>
  );

  function itemsFor(): MenuItem[] {
    const item = (label: string, icon: MenuItem['icon'], name: MemberAction['name']): MenuItem => {
      return { label, icon, run: () => onAction(name) };
    };
    const responsibilities = item('Show keys and to-dos', <History />, 'responsibilities');
    if (user.id === me.id) {
      const profile = { label: 'Your profile', icon: <UserIcon />, run: () => navigate('/settings/profile') };
      return [profile, responsibilities];
    }
    if (!canManage(me, user)) return [responsibilities];
    const role = item('Change role', <Shield />, 'role');
    if (user.disabledAt !== null) return [item('Enable account', <UserCheck />, 'enable'), responsibilities, role];
    return [
      role,
      item('Create reset link', <Link />, 'reset'),
      responsibilities,
      item('Remove second factors', <KeyRound />, 'factors'),
      { ...item('Sign out everywhere', <LogOut />, 'sign-out'), isNewGroup: true },
      { ...item('Disable account', <UserX />, 'disable'), isDestructive: true },
    ];
  }
}
