import type { User } from '@hub/contract';
import { path, request } from '../../api/request.ts';
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
      title={`Enable ${name} again?`}
      lead={`${name} can sign in with the same password, and belongs to the same Hubs as before. Sessions and access tokens do not come back.`}
      keep="Leave it disabled"
      act="Enable again"
      onAct={async () => {
        await request<User>('POST', path`/people/${id}/reactivation`);
        await onChanged();
        toast(`${name} can sign in again.`);
      }}
      onClose={onClose}
    />
  );
}
