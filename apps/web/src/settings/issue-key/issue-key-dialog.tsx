import { Dialog } from '../../ui/dialog.tsx';

/** What a new key needs: its Hub, a name, scopes and a lifetime. */
export function IssueKeyDialog({ onClose }: { hubId?: string; onClose: () => void }) {
  return (
    <Dialog
      title="Issue a key"
      lead="For now keys are issued with hubctl."
      onClose={onClose}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Close
        </button>
      }
    />
  );
}
