import { useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { renewSession } from '../../session/session.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

const MIN_CHARACTERS = 8;
const MISSING_CURRENT = 'Enter your current password.';
/** Matches errors about the current password, from this form and from the server. */
const ABOUT_CURRENT =
  /^(?:Type|Enter|The|Your)(?: the| your)? (?:present|current) password|^Too many wrong passwords|^Another password/;

/** Changes the password, which signs the user out everywhere else. */
export function PasswordSection() {
  const { me } = useWorkspace();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { submit, isBusy, error } = useSubmit(async () => {
    const length = [...next].length;
    if (current === '') throw new Error(MISSING_CURRENT);
    if (next === current) throw new Error('That is your current password. Choose another one.');
    if (length < MIN_CHARACTERS)
      throw new Error(`Use at least ${MIN_CHARACTERS} characters; this password has ${length}.`);
    if (next.trim().toLowerCase() === me.peek().email) {
      throw new Error('Your password can’t be your e-mail address. Choose another one.');
    }
    const body = { currentPassword: current, newPassword: next };
    await renewSession(() => request('PUT /me/password', { body }));
    setCurrent('');
    setNext('');
    toast('Password changed. You’re signed out everywhere else.');
  });
  const isAboutCurrent = ABOUT_CURRENT.test(error);
  return (
    <section class="settings-section" aria-labelledby="own-password">
      <h2 id="own-password">Password</h2>
      <form onSubmit={submit} noValidate>
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
          <label for="current">Current password</label>
          <PasswordInput
            id="current"
            noun="current password"
            autocomplete="current-password"
            describedBy="current-error"
            isInvalid={isAboutCurrent}
            value={current}
            onValue={setCurrent}
          />
          <Problem id="current-error" text={isAboutCurrent ? error : ''} />
        </div>
        <div class="field">
          <label for="next">New password</label>
          <PasswordInput
            id="next"
            noun="new password"
            autocomplete="new-password"
            describedBy="next-help password-error"
            isInvalid={error !== '' && !isAboutCurrent}
            value={next}
            onValue={setNext}
          />
          <p class="help" id="next-help">
            At least {MIN_CHARACTERS} characters, and not a common password. This signs you out of all other browsers;
            your <a href="/settings/tokens">access tokens</a> keep working.
          </p>
          <Problem
            id="password-error"
            text={isAboutCurrent ? '' : error.replace(/^newPassword /, 'The new password ')}
          />
        </div>
        <button class="btn" type="submit" aria-disabled={isBusy}>
          Change password
        </button>
      </form>
    </section>
  );
}
