import type { IssuedKey } from '@hub/contract';
import { writeClipboard } from '../../ui/clipboard.ts';
import { Dialog } from '../../ui/dialog.tsx';

interface KeyOnceDialogProps {
  title: string;
  /** The key is in here, in the document while this is drawn, and nowhere else. */
  issued: IssuedKey;
  hubName: string;
  onClose: () => void;
}

/** A new key, this once. */
export function KeyOnceDialog({ title, issued, hubName, onClose }: KeyOnceDialogProps) {
  return (
    <Dialog
      title={title}
      lead={`It posts into ${hubName}. Copy it now: it cannot be shown again.`}
      isSticky
      onClose={onClose}
      actions={
        <button class="btn" type="button" onClick={onClose}>
          Done
        </button>
      }
    >
      <div class="secret">
        <code>{issued.key}</code>
        <button class="btn is-main" type="button" onClick={() => void writeClipboard(issued.key)}>
          Copy
        </button>
      </div>
    </Dialog>
  );
}
