import { type IssuedPersonalToken, LIMITS } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { expiryOf, isDay, type Lifetime } from '../issue-key/key-lifetime.ts';
import { LifetimeField } from '../issue-key/lifetime-field.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

interface NewTokenDialogProps {
  onClose: () => void;
  onMade: (token: IssuedPersonalToken) => void;
}

/** Asks for the name and expiry of a new token. */
export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const id = useId();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>({ days: 90 });
  const [dateProblem, setDateProblem] = useState('');
  const { submit, isBusy, error } = useSubmit(async () => {
    setDateProblem('');
    if (name.trim() === '') throw new Error('Enter a name.');
    if (typeof lifetime === 'object' && 'until' in lifetime && !isDay(lifetime.until)) {
      setDateProblem('Choose an expiry date.');
      return;
    }
    onMade(await request('POST /me/tokens', { body: { name: name.trim(), ...expiryOf(lifetime) } }));
  });
  return (
    <Dialog
      title="New access token"
      lead="You’ll see it only once. It works until it expires, you revoke it or your account is disabled."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={id} aria-disabled={isBusy}>
            {isBusy ? 'Creating…' : 'Create token'}
          </button>
        </>
      }
    >
      <form class="issue-key" id={id} onSubmit={submit} noValidate>
        <div class="field">
          <label for={`${id}-name`}>Name</label>
          <input
            id={`${id}-name`}
            type="text"
            autofocus
            autocomplete="off"
            maxLength={LIMITS.keyNameCodePoints}
            placeholder="hubctl on my laptop"
            value={name}
            aria-invalid={error !== ''}
            aria-describedby={`${id}-help ${id}-error`}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <p class="help" id={`${id}-help`}>
            Where you use it. Create one per machine to revoke each separately.
          </p>
          <Problem id={`${id}-error`} text={error} />
        </div>
        <LifetimeField lifetime={lifetime} maxDays={null} problem={dateProblem} onChange={setLifetime} />
      </form>
    </Dialog>
  );
}
