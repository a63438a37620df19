import type { Hub } from '@hub/contract';
import { request } from '../../data/request.ts';
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
      lead="Its items, keys and members come back. Keys that are still valid can post again immediately."
      act="Restore Hub"
      onAct={async () => {
        await request('POST /hubs/{hubId}/restoration', { hubId: id });
        await Promise.all([onChanged(), hubs.load()]);
        toast(`${name} restored.`);
      }}
      onClose={onClose}
    />
  );
}
