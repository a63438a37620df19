import { type IssuedPersonalToken, LIMITS, type PersonalToken } from '@hub/contract';
import { useState } from 'preact/hooks';
import { ApiError, errorMessage, request } from '../../../data/request.ts';
import { expiryOf, isDay, type Lifetime } from '../../../lib/keys/key-lifetime.ts';
import { shellWord } from '../../../lib/shell-word.ts';
import { dayAndYear } from '../../../lib/time/format.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { ConfirmDialog, FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { Command } from '../../../ui/items/commands.tsx';
import { OnceDialog } from '../../../ui/once-dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { LifetimeField } from '../issue-key/lifetime-field.tsx';

interface NewTokenDialogProps {
  onClose: () => void;
  onMade: (token: IssuedPersonalToken) => void;
}

/** Asks for the name and expiry of a new token. */
export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>({ days: 90 });
  const [dateProblem, setDateProblem] = useState('');
  const create = async () => {
    setDateProblem('');
    if (name.trim() === '') throw new Error('Enter a name.');
    if (typeof lifetime === 'object' && 'until' in lifetime && !isDay(lifetime.until)) {
      setDateProblem('Choose an expiry date.');
      return;
    }
    onMade(await request('POST /me/tokens', { body: { name: name.trim(), ...expiryOf(lifetime) } }));
  };
  return (
    <FormDialog
      title="New access token"
      lead="You’ll see it only once. It works until it expires, you revoke it or your account is disabled."
      act="Create token"
      onSubmit={create}
      onClose={onClose}
    >
      {(error, id) => (
        <>
          <TextField
            id={`${id}-name`}
            label="Name"
            help="Where you use it. Create one per machine to revoke each separately."
            autofocus
            maxLength={LIMITS.keyNameCodePoints}
            placeholder="hubctl on my laptop"
            value={name}
            error={error}
            onValue={setName}
          />
          <LifetimeField lifetime={lifetime} maxDays={null} problem={dateProblem} onChange={setLifetime} />
        </>
      )}
    </FormDialog>
  );
}

interface TokenOnceDialogProps {
  /** Holds the token, which exists only in the document, and only while the dialog is open. */
  issued: IssuedPersonalToken;
  onClose: () => void;
}

/** Shows a new token once, with the command to log in to hubctl. */
export function TokenOnceDialog({ issued: { name, token, expiresAt }, onClose }: TokenOnceDialogProps) {
  const end = expiresAt === null ? ' until you revoke it.' : ` until ${dayAndYear(expiresAt)}.`;
  return (
    <OnceDialog
      noun="token"
      secret={token}
      text={{
        title: `Copy the token “${name}”`,
        lead: `This is the only time it’s shown. It acts as you${end}`,
        care: 'Anyone who has it can do what you can. Keep it out of repositories and chats. If you lose it, revoke it and create a new one.',
        loss: 'If you haven’t copied it, revoke it and create a new one.',
      }}
      onClose={onClose}
    >
      <ol class="commands token-use">
        <Command
          does="Log in with it: run this, paste the token and press Enter (it isn’t shown or saved in the history)"
          line={`hubctl login ${shellWord(location.origin)} --token-stdin`}
        />
      </ol>
    </OnceDialog>
  );
}

interface RevokeTokenDialogProps {
  token: PersonalToken;
  onClose: () => void;
  onRevoked: () => void;
}

/** Confirms a revocation. Nothing has to be typed to confirm, since a new token is quick to create. */
export function RevokeTokenDialog({ token: { id, name }, onClose, onRevoked }: RevokeTokenDialogProps) {
  const revoke = async () => {
    try {
      await request('DELETE /me/tokens/{tokenId}', { tokenId: id });
    } catch (error) {
      // A 404 is a success: the token is already revoked, for example in another tab.
      if (!(error instanceof ApiError && error.statusCode === 404))
        throw new Error(`Couldn’t revoke the token. ${errorMessage(error)}`);
    }
    onRevoked();
    toast(`${name} revoked.`);
  };
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      lead="The token stops working immediately, and programs using it get 401. This can’t be undone."
      act="Revoke token"
      isBad
      onAct={revoke}
      onClose={onClose}
    />
  );
}
