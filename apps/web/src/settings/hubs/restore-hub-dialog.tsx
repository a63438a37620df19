import type { Hub } from '@hub/contract';
import { path, request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';

interface RestoreHubDialogProps {
  hub: Hub;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

export function RestoreHubDialog({ hub: { id, name }, onChanged, onClose }: RestoreHubDialogProps) {
  const { hubs } = useWorkspace();
  return (
    <ConfirmDialog
      title={`Restore ${name}?`}
      lead="It comes back with the same items, keys and members. Keys that have not ended or been revoked can post into it again at once."
      keep="Leave it deleted"
      act="Restore the Hub"
      onAct={async () => {
        await request<Hub>('POST', path`/hubs/${id}/restoration`);
        await Promise.all([onChanged(), hubs.load()]);
        toast(`${name} is back.`);
      }}
      onClose={onClose}
    />
  );
}
