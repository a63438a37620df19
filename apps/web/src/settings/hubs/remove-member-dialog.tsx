import type { Hub, Member } from '@hub/contract';
import { request } from '../../data/request.ts';
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

/** Asks for confirmation before a member is removed or the user leaves the Hub. */
export function RemoveMemberDialog({ hub, member: { id, name }, onRemoved, onClose }: RemoveMemberDialogProps) {
  const me = useWorkspace().me.value;
  const isMe = id === me.id;
  const wayBack = me.role === 'member' ? 'An admin can add you again.' : 'You can add yourself again.';
  return (
    <ConfirmDialog
      title={isMe ? `Leave ${hub.name}?` : `Remove ${name} from ${hub.name}?`}
      lead={
        isMe
          ? `You lose access immediately. Your to-dos stay assigned to you. ${wayBack}`
          : `${name} loses access immediately. Their to-dos stay assigned and their keys keep working. You can add them again.`
      }
      act={isMe ? 'Leave Hub' : 'Remove member'}
      isBad
      onAct={async () => {
        await request('DELETE /hubs/{hubId}/members/{personId}', { hubId: hub.id, personId: id });
        // A member who has left can no longer load anything from this Hub, so the page closes first.
        if (isMe && me.role === 'member') navigate('/settings/hubs');
        await onRemoved();
        toast(isMe ? `You left ${hub.name}.` : `${name} removed from ${hub.name}.`);
      }}
      onClose={onClose}
    />
  );
}
