import type { Hub } from '@hub/contract';
import { Face } from '../faces/face.tsx';
import { useAllMembers } from '../members/members.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Who belongs to a Hub, and so reads it. */
export function MembersDialog({ hub, onClose }: { hub: Hub; onClose: () => void }) {
  const members = useAllMembers(hub.id);
  return (
    <Dialog
      title={`Members of ${hub.name}`}
      lead="They read everything in it, and are told of what is new."
      onClose={onClose}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      }
    >
      <ul class="member-list">
        {members.map(({ id, name, email, disabledAt }) => (
          <li key={id}>
            <Face id={id} name={name} kind="person" size="m" />
            <span>
              <b>{name}</b>
              {disabledAt !== null && ' (account disabled)'}
              <small>{email}</small>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
