import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { onConfirmPassword, request } from '../data/request.ts';
import { Problem } from '../settings/problem.tsx';
import { useSubmit } from '../settings/use-submit.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

/** Requests waiting for the password: all that have been rejected since the dialog opened. */
const waiting = signal<readonly ((isConfirmed: boolean) => void)[]>([]);

onConfirmPassword(
  () =>
    new Promise((settle) => {
      waiting.value = [...waiting.peek(), settle];
    }),
);

function settleAll(isConfirmed: boolean): void {
  const settled = waiting.peek();
  waiting.value = [];
  for (const settle of settled) settle(isConfirmed);
}

/** Asks for the password when the server requires it, then lets the rejected requests retry. */
export function ConfirmPassword() {
  return waiting.value.length === 0 ? null : <ConfirmPasswordDialog />;
}

function ConfirmPasswordDialog() {
  const { me } = useWorkspace();
  const id = useId();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // This effect runs after the dialog has opened.
  useEffect(() => field.current?.focus(), []);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (password === '') throw new Error('Enter your password.');
    await request('POST /session/confirmation', { body: { password } });
    settleAll(true);
  });
  return (
    <Dialog
      title="Confirm it's you"
      lead="This changes who has access. Enter your password to continue."
      onClose={() => settleAll(false)}
      actions={
        <>
          <button class="btn" type="button" onClick={() => settleAll(false)}>
            Cancel
          </button>
          <button class="btn is-main" type="submit" form={id} aria-disabled={isBusy}>
            Confirm
          </button>
        </>
      }
    >
      <form id={id} onSubmit={submit} noValidate>
        <input
          class="sr"
          type="email"
          autocomplete="username"
          value={me.value.email}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <div class="field">
          <label for={`${id}-password`}>Password</label>
          <PasswordInput
            id={`${id}-password`}
            field={field}
            autocomplete="current-password"
            describedBy={`${id}-error`}
            isInvalid={error !== ''}
            value={password}
            onValue={setPassword}
          />
          <Problem id={`${id}-error`} text={error} />
        </div>
      </form>
    </Dialog>
  );
}
