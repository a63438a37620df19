import Ban from 'icon:ban';
import type { ApiKey } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { path, request, wordsOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';

interface RevokeKeyProps {
  apiKey: ApiKey;
  onRevoked: (key: ApiKey) => void;
}

/** The one thing to do with a key that posts what it should not. Its name has to be typed: there is no way back. */
export function RevokeKey({ apiKey, onRevoked }: RevokeKeyProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div class="toolbar">
      <button class="btn" type="button" onClick={() => setAsking(true)}>
        <Ban /> Revoke this key
      </button>
      {isAsking && <RevokeDialog apiKey={apiKey} onRevoked={onRevoked} onClose={() => setAsking(false)} />}
    </div>
  );
}

function RevokeDialog({ apiKey: { id, name }, onRevoked, onClose }: RevokeKeyProps & { onClose: () => void }) {
  const field = useId();
  const [typed, setTyped] = useState('');
  const [isUnderWay, setUnderWay] = useState(false);
  const [trouble, setTrouble] = useState('');
  const isSure = typed.trim() === name && !isUnderWay;
  const revoke = async () => {
    if (!isSure) return;
    setUnderWay(true);
    setTrouble('');
    try {
      const revoked = await request<ApiKey>('POST', path`/keys/${id}/revocation`);
      onClose();
      onRevoked(revoked);
      toast(`${name} is revoked.`);
    } catch (error) {
      setTrouble(wordsOf(error));
      setUnderWay(false);
    }
  };
  return (
    <Dialog
      title={`Revoke ${name}?`}
      lead="It stops at once. The program that uses it gets 401 from its next request on, and this cannot be undone. What it has posted stays."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Keep the key
          </button>
          <button class="btn is-bad" type="button" disabled={!isSure} onClick={() => void revoke()}>
            Revoke now
          </button>
        </>
      }
    >
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          void revoke();
        }}
      >
        <label for={field}>Type the key’s name to confirm</label>
        <input
          id={field}
          type="text"
          autoComplete="off"
          spellcheck={false}
          placeholder={name}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {trouble !== '' && <p role="alert">{trouble}</p>}
      </form>
    </Dialog>
  );
}
