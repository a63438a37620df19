import { useRef, useState } from 'preact/hooks';
import { ApiError, errorMessage } from '../../data/request.ts';
import { signIn } from '../../data/session/session.ts';
import { PasswordInput } from '../../ui/password-input.tsx';

/** The sign-in form. `email`: the address of the user whose session ended. */
export function SignInForm({ email = '' }: { email?: string }) {
  const [failure, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setError('');
    try {
      await signIn(String(fields.get('email')).trim(), String(fields.get('password')));
    } catch (error) {
      // Only here does a 401 mean that the input is wrong.
      setError(error instanceof ApiError ? error.message : errorMessage(error));
      password.current?.select();
    }
    setBusy(false);
  };

  return (
    <form aria-label="Sign in" aria-busy={isBusy} onSubmit={submit}>
      <div class="field">
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" autocomplete="username" defaultValue={email} required />
      </div>
      <div class="field">
        <label for="password">Password</label>
        <PasswordInput
          field={password}
          id="password"
          name="password"
          autocomplete="current-password"
          aria-describedby={failure === '' ? undefined : 'sign-in-error'}
        />
      </div>
      <p class="error" id="sign-in-error" role="alert">
        {failure}
      </p>
      <button class="btn is-main is-wide" type="submit" aria-disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}
