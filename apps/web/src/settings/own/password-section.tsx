import { useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { renewSession } from '../../session/session.ts';
import { toast } from '../../ui/toast.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { Fault } from '../fault.tsx';
import { useSubmit } from '../use-submit.ts';

const LEAST_CHARACTERS = 8;

/** Another password, which signs out everywhere else. */
export function PasswordSection() {
  const { me } = useWorkspace();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const { submit, isBusy, trouble } = useSubmit(async () => {
    const length = [...next].length;
    if (current === '') throw new Error('Type the present password.');
    if (length < LEAST_CHARACTERS)
      throw new Error(`At least ${LEAST_CHARACTERS} characters are needed; these are ${length}.`);
    if (next.trim().toLowerCase() === me.peek().email) {
      throw new Error('The e-mail address is no password: choose another.');
    }
    const body = { currentPassword: current, newPassword: next };
    await renewSession(() => request('PUT', '/me/password', { body }));
    setCurrent('');
    setNext('');
    toast('The password is changed. You are signed out everywhere else.');
  });
  return (
    <section class="own" aria-labelledby="own-password">
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
          <input
            id="current"
            type="password"
            autocomplete="current-password"
            value={current}
            onInput={({ currentTarget }) => setCurrent(currentTarget.value)}
          />
        </div>
        <div class="field">
          <label for="next">New password</label>
          <input
            id="next"
            type="password"
            autocomplete="new-password"
            aria-describedby="next-help password-fault"
            value={next}
            onInput={({ currentTarget }) => setNext(currentTarget.value)}
          />
          <p class="help" id="next-help">
            At least {LEAST_CHARACTERS} characters, of any kind. Every other browser is signed out at once; this one
            stays. Your <a href="/settings/tokens">access tokens</a> go on working.
          </p>
          <Fault id="password-fault" words={trouble} />
        </div>
        <button class="btn" type="submit" aria-disabled={isBusy}>
          Change the password
        </button>
      </form>
    </section>
  );
}
