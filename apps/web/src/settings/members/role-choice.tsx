import type { Role } from '@hub/contract';
import { useId } from 'preact/hooks';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ROLE_LABELS } from './users-list.ts';

const ROLES: readonly Role[] = ['member', 'admin', 'owner'];

const MAY: Record<Role, string> = {
  owner: 'All that admins may; also makes, changes and disables owners.',
  admin: 'Manages Hubs, people, keys and the workspace. Reads the Hubs to which it belongs.',
  member: 'Reads the Hubs to which it belongs, and works in them.',
};

/** A role, with what it may. Only owners give that of an owner. */
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
              <span class="help">{isBarred ? 'Only owners make somebody an owner. Ask one of them.' : MAY[role]}</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
