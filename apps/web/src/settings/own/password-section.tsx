import { useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { renewSession } from '../../session/session.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Problem } from '../problem.tsx';
import { useSubmit } from '../use-submit.ts';

const MIN_CHARACTERS = 8;
const NO_PRESENT = 'Type the present password.';
/** Of the words above, and of those of the server. */
const OF_PRESENT = /^(?:Type|The) (?:the )?present password|^Too many wrong passwords|^Another password/;

/** Another password, which signs out everywhere else. */
export function PasswordSection() {
  const { me } = useWorkspace();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { submit, isBusy, error } = useSubmit(async () => {
    const length = [...next].length;
    if (current === '') throw new Error(NO_PRESENT);
    if (next === current) throw new Error('That is the present password. Choose another.');
    if (length < MIN_CHARACTERS)
      throw new Error(`At least ${MIN_CHARACTERS} characters are needed; these are ${length}.`);
    if (next.trim().toLowerCase() === me.peek().email) {
      throw new Error('The e-mail address is no password: choose another.');
    }
    const body = { currentPassword: current, newPassword: next };
    await renewSession(() => request('PUT', '/me/password', { body }));
    setCurrent('');
    setNext('');
    toast('The password is changed. You are signed out everywhere else.');
  });
  const isOfPresent = OF_PRESENT.test(error);
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
          <label for="current">Present password</label>
          <PasswordInput
            id="current"
            noun="present password"
            autocomplete="current-password"
            describedBy="current-error"
            isInvalid={isOfPresent}
            value={current}
            onValue={setCurrent}
          />
          <Problem id="current-error" text={isOfPresent ? error : ''} />
        </div>
        <div class="field">
          <label for="next">New password</label>
          <PasswordInput
            id="next"
            noun="new password"
            autocomplete="new-password"
            describedBy="next-help password-error"
            isInvalid={error !== '' && !isOfPresent}
            value={next}
            onValue={setNext}
          />
          <p class="help" id="next-help">
            At least {MIN_CHARACTERS} characters, of any kind, and not a common password. Every other browser is signed
            out at once; this one stays. Your <a href="/settings/tokens">access tokens</a> go on working.
          </p>
          <Problem id="password-error" text={isOfPresent ? '' : error.replace(/^newPassword /, 'The new password ')} />
        </div>
        <button class="btn" type="submit" aria-disabled={isBusy}>
          Change the password
        </button>
      </form>
    </section>
  );
}
