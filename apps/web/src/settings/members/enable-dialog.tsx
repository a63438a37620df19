import type { User } from '@hub/contract';
import { request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface EnableDialogProps {
  user: User;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function EnableDialog({ user: { id, name }, onChanged, onClose }: EnableDialogProps) {
  return (
    <ConfirmDialog
      title={`Enable ${name}?`}
      lead={`${name} can sign in with the same password and is in the same Hubs as before. Sessions and access tokens don’t come back.`}
      act="Enable account"
      onAct={async () => {
        await request('POST /people/{personId}/reactivation', { personId: id });
        await onChanged();
        toast(`${name} enabled.`);
      }}
      onClose={onClose}
    />
  );
}
