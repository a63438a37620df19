import type { Member } from '@hub/contract';
import { Avatar } from '../../avatars/avatar.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ROLE_LABELS } from '../members/users-list.ts';

export function HubMemberRow({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const me = useWorkspace().me.value;
  const { id, name, email, role, disabledAt } = member;
  const isMe = id === me.id;
  return (
    <li data-row-id={id}>
      <span class="member">
        <Avatar id={id} name={name} kind="person" size="m" />
        <span>
          <b>
            <bdi>{name}</bdi>
            {isMe && <span class="you"> (you)</span>}
          </b>
          <span class="help">
            {email}
            {role !== 'member' && `, ${ROLE_LABELS[role].toLowerCase()}`}
            {disabledAt !== null && ', account disabled'}
          </span>
        </span>
      </span>
      {(isMe || me.role !== 'member') && (
        <button
          class="btn is-small"
          type="button"
          data-row-focus
          aria-label={isMe ? 'Leave this Hub' : `Remove ${name}`}
          onClick={onRemove}
        >
          {isMe ? 'Leave' : 'Remove'}
        </button>
      )}
    </li>
  );
}
