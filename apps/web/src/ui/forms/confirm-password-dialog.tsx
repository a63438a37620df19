import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { request } from '../../data/request.ts';
import { PasswordInput, UsernameHint } from '../password-input.tsx';
import { Field, FormDialog } from './form.tsx';

/** Asks for the password. `onSettled` gets whether it was correct; otherwise, the user canceled. */
export function ConfirmPasswordDialog({ onSettled }: { onSettled: (isConfirmed: boolean) => void }) {
  const { me } = useWorkspace();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // This effect runs after the dialog has opened.
  useEffect(() => field.current?.focus(), []);
  return (
    <FormDialog
      title="Confirm it’s you"
      description="This changes who has access. Enter your password to continue."
      submitLabel="Confirm"
      onSubmit={async () => {
        if (password === '') throw new Error('Enter your password.');
        await request('POST /session/confirmation', { body: { password } });
        onSettled(true);
      }}
      onClose={() => onSettled(false)}
    >
      {(error) => (
        <>
          <UsernameHint email={me.value.email} />
          <Field label="Password" error={error}>
            {(aria) => (
              <PasswordInput
                {...aria}
                field={field}
                autocomplete="current-password"
                value={password}
                onValue={setPassword}
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
