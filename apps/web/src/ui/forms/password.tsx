import { Eye, EyeOff } from 'icons';
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { type Confirmation, request } from '../../data/request.ts';
import { IconButton } from '../button.tsx';
import { Field, type FieldProps, FormDialog, useText } from './form.tsx';

interface PasswordInputProps {
  id: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string | undefined;
  autocomplete: 'current-password' | 'new-password';
  autofocus?: boolean;
  name?: string;
  field?: RefObject<HTMLInputElement | null>;
  value?: string;
  onValue?: (value: string) => void;
  noun?: string;
}

/** A password field that can show its text, which helps avoid typos. */
export function PasswordInput({ field, onValue, noun = 'password', ...attributes }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="password-field">
      <input
        {...attributes}
        {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
        ref={field ?? null}
        required
        onInput={({ currentTarget }) => onValue?.(currentTarget.value)}
      />
      <IconButton
        variant=""
        icon={isShown ? <EyeOff /> : <Eye />}
        label={`Show ${noun}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      />
    </div>
  );
}

type PasswordFieldProps = Omit<PasswordInputProps, 'id' | 'aria-invalid' | 'aria-describedby'> &
  Pick<FieldProps, 'id' | 'label' | 'help' | 'error'>;

export function PasswordField({ id, label, help, error, ...input }: PasswordFieldProps) {
  return <Field {...{ id, label, help, error }}>{(aria) => <PasswordInput {...input} {...aria} />}</Field>;
}

/** Tells password managers whose password the form is about. */
export function UsernameHint({ email }: { email: string }) {
  return <input class="sr" type="email" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden />;
}

interface ConfirmDialogProps {
  way: Confirmation;
  /** Called with whether the user confirmed; otherwise, they canceled. */
  onSettled: (isConfirmed: boolean) => void;
}

/** Asks for the password or, of a user who has none, for a new sign-in with the provider. */
export function ConfirmPasswordDialog({ way, onSettled }: ConfirmDialogProps) {
  return way === 'password' ? <PasswordDialog onSettled={onSettled} /> : <ProviderDialog onSettled={onSettled} />;
}

/** The provider has a page of its own, after which this one opens again. */
function ProviderDialog({ onSettled }: Pick<ConfirmDialogProps, 'onSettled'>) {
  return (
    <FormDialog
      title="Confirm it’s you"
      description="This changes who has access. Sign in again, then repeat the change."
      submitLabel="Sign in again"
      onSubmit={async () => {
        location.assign(`/sign-in?confirm&then=${encodeURIComponent(location.pathname + location.search)}`);
        await new Promise(() => {});
      }}
      onClose={() => onSettled(false)}
    >
      {() => null}
    </FormDialog>
  );
}

function PasswordDialog({ onSettled }: Pick<ConfirmDialogProps, 'onSettled'>) {
  const { me } = useWorkspace();
  const password = useText();
  return (
    <FormDialog
      title="Confirm it’s you"
      description="This changes who has access. Enter your password to continue."
      submitLabel="Confirm"
      onSubmit={async () => {
        if (password.value === '') throw new Error('Enter your password.');
        await request('POST /session/confirmation', { body: { password: password.value } });
        onSettled(true);
      }}
      onClose={() => onSettled(false)}
    >
      {(error) => (
        <>
          <UsernameHint email={me.value.email} />
          <PasswordField label="Password" error={error} autofocus autocomplete="current-password" {...password} />
        </>
      )}
    </FormDialog>
  );
}
