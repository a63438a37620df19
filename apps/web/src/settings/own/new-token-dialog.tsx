import { type IssuedPersonalToken, LIMITS } from '@hub/contract';
import { useId, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { expiryOf, isDay, type Lifetime } from '../issue-key/key-lifetime.ts';
import { LifetimeField } from '../issue-key/lifetime-field.tsx';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

interface NewTokenDialogProps {
  onClose: () => void;
  onMade: (token: IssuedPersonalToken) => void;
}

/** Names a new token and says how long it works. */
export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const id = useId();
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>({ days: 90 });
  const [dateProblem, setDateProblem] = useState('');
  const { submit, isBusy, error } = useSubmit(async () => {
    setDateProblem('');
    if (name.trim() === '') throw new Error('Type a name, so that you know the token again.');
    if (typeof lifetime === 'object' && 'until' in lifetime && !isDay(lifetime.until)) {
      setDateProblem('Choose the last day on which it works.');
      return;
    }
    onMade(
      await request<IssuedPersonalToken>('POST', '/me/tokens', { body: { name: name.trim(), ...expiryOf(lifetime) } }),
    );
  });
  return (
    <Dialog
      title="Make an access token"
      lead="You see it once, when it is made. It ends with your account, or when you revoke it."
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={id} aria-disabled={isBusy}>
            {isBusy ? 'Making it…' : 'Make the token'}
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
            Where it is used. One for each machine: then you can revoke that one alone.
          </p>
          <Problem id={`${id}-error`} text={error} />
        </div>
        <LifetimeField lifetime={lifetime} maxDays={null} problem={dateProblem} onChange={setLifetime} />
      </form>
    </Dialog>
  );
}
