import type { PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../../data/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';

interface RevokeTokenDialogProps {
  token: PersonalToken;
  onClose: () => void;
  onRevoked: () => void;
}

/** Confirms a revocation. Nothing has to be typed to confirm, since a new token is quick to create. */
export function RevokeTokenDialog({ token: { id, name }, onClose, onRevoked }: RevokeTokenDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const revoke = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await request('DELETE /me/tokens/{tokenId}', { tokenId: id });
    } catch (error) {
      // The token is already revoked, for example in another tab, which is what the user wanted.
      if (!(error instanceof ApiError && error.statusCode === 404)) {
        setError(`Couldn’t revoke the token. ${errorMessage(error)}`);
        setBusy(false);
        return;
      }
    }
    onClose();
    onRevoked();
    toast(`${name} revoked.`);
  };
  return (
    <Dialog
      title={`Revoke ${name}?`}
      lead="The token stops working immediately, and programs using it get 401. This can’t be undone."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" autofocus onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-bad" type="button" aria-disabled={isBusy} onClick={() => void revoke()}>
            {isBusy ? 'Revoking…' : 'Revoke token'}
          </button>
        </>
      }
    >
      {failure !== '' && <p role="alert">{failure}</p>}
    </Dialog>
  );
}
