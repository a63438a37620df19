import type { Hub, User, UserRef } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { useAllMembers } from '../../data/members/members.ts';
import { errorMessage } from '../../data/request.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/forms/form.tsx';
import { AddMember, addMember, usersToAdd } from '../../ui/members/add-member.tsx';
import { MemberRow } from '../../ui/members/member-row.tsx';

/** The members of a Hub. Admins can add others. */
export function MembersDialog({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const isAdmin = useWorkspace().me.value.role !== 'member';
  const members = useAllMembers(hub.id);
  const [others, setOthers] = useState<readonly User[] | null>(null);
  const [failure, setError] = useState('');
  const [added, setAdded] = useState('');
  useEffect(() => {
    if (!isAdmin) return;
    let isOver = false;
    usersToAdd(members).then(
      (users) => isOver || setOthers(users),
      (error: unknown) => isOver || setError(errorMessage(error)),
    );
    return () => {
      isOver = true;
    };
  }, [isAdmin, members]);
  const add = async ({ id, name }: UserRef) => {
    setError('');
    setAdded('');
    try {
      // The event for the added member reloads the list.
      await addMember(hub.id, id);
      setAdded(`${name} can now read this Hub.`);
    } catch (error) {
      setError(`Couldn’t add ${name}. ${errorMessage(error)}`);
    }
  };
  return (
    <Dialog
      title={`Members of ${hub.name}`}
      description={
        isAdmin
          ? 'Members see everything in this Hub, including posts from before they were added.'
          : 'Members see everything in this Hub.'
      }
      onClose={onClose}
      foot={isAdmin && <AddMember users={others} onAdd={add} />}
      actions={<Button label="Close" onClick={onClose} />}
    >
      <ul class="member-list">
        {members.map((member) => (
          <MemberRow key={member.id} member={member} />
        ))}
      </ul>
      {isAdmin && (
        <p>
          New to the workspace?{' '}
          <a class="link" href="/settings/members">
            Invite a member
          </a>
          .
        </p>
      )}
      <p role="status">{added}</p>
      <Problem text={failure} />
    </Dialog>
  );
}
