import type { User } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../workspace/workspace.ts';
import { AS_HEAD, AS_ROW, AS_ROWS, AS_TABLE } from '../table-roles.ts';
import { useRowFocus } from '../use-row-focus.ts';
import { DisableDialog } from './disable-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';
import { HoldingsDialog } from './holdings-dialog.tsx';
import { ResetDialog } from './reset-dialog.tsx';
import { RoleDialog } from './role-dialog.tsx';
import { type Action, MemberRow } from './user-row.tsx';
import { isOnlyOwner } from './users-list.ts';

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
  return (
    <>
      <h2 class="hub-head">
        Members <span class="num">{users.length}</span>
      </h2>
      <table class="keys users" {...AS_TABLE} aria-label="Members">
        <colgroup>
          <col />
          <col class="c-state" />
          {isAdmin && <col class="c-used" />}
          {isAdmin && <col class="c-actions" />}
        </colgroup>
        <thead {...AS_ROWS}>
          <tr {...AS_ROW}>
            <th {...AS_HEAD}>
              <span class="sr">Member</span>
            </th>
            <th {...AS_HEAD}>Role</th>
            {isAdmin && <th {...AS_HEAD}>Last seen</th>}
            {isAdmin && (
              <th {...AS_HEAD}>
                <span class="sr">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...AS_ROWS}>
          {users.map((user) => (
            <MemberRow
              key={user.id}
              user={user}
              isOnlyOwner={isOnlyOwner(all, user)}
              onAction={(name) => onAction(name, user)}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}
