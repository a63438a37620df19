import type { PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, errorMessage, path, request } from '../../api/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';

interface RevokeTokenDialogProps {
  token: PersonalToken;
  onClose: () => void;
  onRevoked: () => void;
}

/** Asks once: there is no way back, but another token is soon made. */
export function RevokeTokenDialog({ token: { id, name }, onClose, onRevoked }: RevokeTokenDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const revoke = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await request('DELETE', path`/me/tokens/${id}`);
    } catch (error) {
      // Gone already, by another tab: that is what was wanted.
      if (!(error instanceof ApiError && error.statusCode === 404)) {
        setError(`Not revoked. ${errorMessage(error)}`);
        setBusy(false);
        return;
      }
    }
    onClose();
    onRevoked();
    toast(`${name} is revoked.`);
  };
  return (
    <Dialog
      title={`Revoke ${name}?`}
      lead="It stops at once. The program that uses it gets 401 from its next request on, and this cannot be undone. What was done with it stays."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" autofocus onClick={onClose}>
            Keep the token
          </button>
          <button class="btn is-bad" type="button" aria-disabled={isBusy} onClick={() => void revoke()}>
            {isBusy ? 'Revoking…' : 'Revoke now'}
          </button>
        </>
      }
    >
      {failure !== '' && <p role="alert">{failure}</p>}
    </Dialog>
  );
}
