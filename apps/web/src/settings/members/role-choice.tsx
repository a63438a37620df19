import type { Role } from '@hub/contract';
import { useId } from 'preact/hooks';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ROLE_LABELS } from './users-list.ts';

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];

const PERMISSIONS: Record<Role, string> = {
  owner: 'Can do everything admins can, and add, change and disable owners.',
  admin: 'Can manage Hubs, members, keys and the workspace, and read the Hubs they’re added to.',
  member: 'Can read and post in the Hubs they’re added to.',
};

/** Selects a role. Only owners can choose the owner role. */
export function RoleChoice({ chosen, onChoose }: { chosen: Role; onChoose: (role: Role) => void }) {
  const id = useId();
  const isOwner = useWorkspace().me.value.role === 'owner';
  return (
    <fieldset class="options">
      <legend>Role</legend>
      {ROLES.map((role) => {
        const isBarred = role === 'owner' && !isOwner;
        return (
          <label key={role} class="optline">
            <input
              type="radio"
              name={id}
              checked={role === chosen}
              disabled={isBarred}
              onChange={() => onChoose(role)}
            />
            <span>
              <b>{ROLE_LABELS[role]}</b>
              <span class="help">
                {isBarred ? 'Only owners can add an owner. Ask one of them.' : PERMISSIONS[role]}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
