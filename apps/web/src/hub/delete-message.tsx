import type { Message } from '@hub/contract';
import { useState } from 'preact/hooks';
import { errorMessage, path, request } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { focusRow } from './row-keys.ts';
import type { RowScope } from './row-scope.ts';

/** Asks once more: what is deleted cannot be brought back here. */
export function DeleteMessage({ message, scope, onClose }: { message: Message; scope: RowScope; onClose: () => void }) {
  const { items } = useWorkspace();
  const [isUnderWay, setUnderWay] = useState(false);
  const [failure, setError] = useState('');
  const remove = async () => {
    setUnderWay(true);
    setError('');
    const ids = scope.ids();
    const place = ids.indexOf(message.id);
    try {
      await items.applyResponseOf(() => request<Message>('DELETE', path`/messages/${message.id}`));
    } catch (error) {
      setError(errorMessage(error));
      setUnderWay(false);
      return;
    }
    onClose();
    const next = message.replyCount > 0 ? message.id : (ids[place + 1] ?? ids[place - 1]);
    if (next !== undefined) requestAnimationFrame(() => focusRow(scope, next));
  };
  const { replyCount } = message;
  const lead =
    replyCount === 0
      ? 'It is gone for everyone at once, and cannot be brought back.'
      : `Its words are gone for everyone at once, and cannot be brought back. ${replyCount === 1 ? 'The reply stays' : `Its ${replyCount} replies stay`} under a blank.`;
  return (
    <Dialog
      title="Delete this message?"
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Keep it
          </button>
          <button class="btn is-bad" type="button" disabled={isUnderWay} onClick={() => void remove()}>
            Delete
          </button>
        </>
      }
    >
      {failure !== '' && <p role="alert">{failure}</p>}
    </Dialog>
  );
}
