import { useRef } from 'preact/hooks';
import { ApiError } from '../../data/request.ts';
import { signIn } from '../../data/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Problem, useTask } from '../../ui/forms/form.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/** The sign-in form. `email`: the address of the user whose session ended. */
export function SignInForm({ email = '' }: { email?: string }) {
  const { run, isBusy, error: failure } = useTask();
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    return run(async () => {
      try {
        await signIn(String(fields.get('email')).trim(), String(fields.get('password')));
      } catch (error) {
        password.current?.select();
        // Only here does a 401 mean that the input is wrong.
        throw error instanceof ApiError ? new Error(error.message) : error;
      }
    });
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
      <Problem id="sign-in-error" text={failure} />
      <Button
        variant="is-main is-wide"
        label={isBusy ? 'Signing in…' : 'Sign in'}
        type="submit"
        aria-disabled={isBusy}
      />
    </form>
  );
}
