import type { Hub, User, UserRef } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { Avatar } from '../avatars/avatar.tsx';
import { errorMessage } from '../data/request.ts';
import { AddMember, addMember, usersToAdd } from '../members/add-member.tsx';
import { useAllMembers } from '../members/members.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

/** The members of a Hub. Admins can add others. */
export function MembersDialog({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const members = useAllMembers(hub.id);
  const [others, setOthers] = useState<readonly User[]>([]);
  const [failure, setError] = useState('');
  useEffect(() => {
    if (!isAdmin) return;
    usersToAdd(members).then(setOthers, (error: unknown) => setError(errorMessage(error)));
  }, [isAdmin, members]);
  const add = async ({ id, name }: UserRef) => {
    setError('');
    try {
      // The event for the added member reloads the list.
      await addMember(hub.id, id);
    } catch (error) {
      setError(`Couldn't add ${name}. ${errorMessage(error)}`);
    }
  };
  return (
    <Dialog
      title={`Members of ${hub.name}`}
      lead="Members see everything in this Hub."
      onClose={onClose}
      foot={isAdmin && <AddMember users={others} onAdd={add} />}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <ul class="member-list">
        {members.map(({ id, name, email, disabledAt }) => (
          <li key={id}>
            <Avatar id={id} name={name} kind="person" size="m" />
            <span>
              <b>{name}</b>
              {disabledAt !== null && ' (account disabled)'}
              <small>{email}</small>
            </span>
          </li>
        ))}
      </ul>
      <p class="error" role="alert">
        {failure}
      </p>
    </Dialog>
  );
}
