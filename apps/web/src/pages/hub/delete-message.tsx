import type { Message } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage, request } from '../../data/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { focusRow } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

/** Asks for confirmation, since a deleted message cannot be restored. */
export function DeleteMessage({ message, scope, onClose }: { message: Message; scope: RowScope; onClose: () => void }) {
  const { items } = useWorkspace();
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setError] = useState('');
  const remove = async () => {
    setDeleting(true);
    setError('');
    const ids = scope.ids();
    const index = ids.indexOf(message.id);
    try {
      await items.applyResponseOf(() => request('DELETE /messages/{messageId}', { messageId: message.id }));
    } catch (error) {
      setError(errorMessage(error));
      setDeleting(false);
      return;
    }
    onClose();
    const next = message.replyCount > 0 ? message.id : (ids[index + 1] ?? ids[index - 1]);
    if (next !== undefined) requestAnimationFrame(() => focusRow(scope, next));
  };
  const { replyCount } = message;
  const lead =
    replyCount === 0
      ? "This deletes the message for everyone and can't be undone."
      : `This deletes the message for everyone and can't be undone. ${replyCount === 1 ? 'Its reply stays' : `Its ${replyCount} replies stay`}.`;
  return (
    <Dialog
      title="Delete this message?"
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-bad" type="button" disabled={isDeleting} onClick={() => void remove()}>
            Delete
          </button>
        </>
      }
    >
      {failure !== '' && <p role="alert">{failure}</p>}
    </Dialog>
  );
}
