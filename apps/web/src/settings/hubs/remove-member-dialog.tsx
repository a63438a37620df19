import type { Hub, Member } from '@hub/contract';
import { path, request } from '../../api/request.ts';
import { navigate } from '../../router/location.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface RemoveMemberDialogProps {
  hub: Hub;
  member: Member;
  onRemoved: () => Promise<void>;
  onClose: () => void;
}

/** Somebody else is removed, or one leaves oneself. */
export function RemoveMemberDialog({ hub, member: { id, name }, onRemoved, onClose }: RemoveMemberDialogProps) {
  const me = useWorkspace().me.value;
  const isMe = id === me.id;
  const wayBack = me.role === 'member' ? 'An admin can add you again.' : 'You can add yourself again.';
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${hub.name}?` : `Remove ${name} from ${hub.name}?`}
      lead={
        isMe
          ? `You stop reading it at once, and your to-dos in it stay assigned to you. ${wayBack}`
          : `${name} loses it at once, with every live view of it. To-dos stay assigned and keys go on working. You can add ${name} again.`
      }
      keep={isMe ? 'Stay' : 'Keep the member'}
      act={isMe ? 'Leave the Hub' : 'Remove now'}
      isBad
      onAct={async () => {
        await request<Member>('DELETE', path`/hubs/${hub.id}/members/${id}`);
        // Nothing of it is to be asked for any more.
        if (isMe && me.role === 'member') navigate('/settings/hubs');
        await onRemoved();
        toast(isMe ? `You have left ${hub.name}.` : `${name} does not belong to ${hub.name} any more.`);
      }}
      onClose={onClose}
    />
  );
}
