import { Eye, EyeOff } from 'icons';
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { IconButton } from './button.tsx';

interface PasswordInputProps {
  id: string;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string | undefined;
  autocomplete: 'current-password' | 'new-password';
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

/** Tells password managers whose password the form is about. */
export function UsernameHint({ email }: { email: string }) {
  return <input class="sr" type="email" autocomplete="username" value={email} readOnly tabIndex={-1} aria-hidden />;
}
