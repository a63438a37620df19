import Eye from 'icon:eye';
import { useRef, useState } from 'preact/hooks';
import { wordsOf } from '../api/request.ts';
import { Mark } from '../icons/mark.tsx';
import { Orbits } from '../icons/orbits.tsx';
import { signIn } from '../session/session.ts';

/** The way in. Where one wanted to go stays in the address. */
export function SignInPage() {
  const [trouble, setTrouble] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const password = useRef<HTMLInputElement>(null);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setTrouble('');
    try {
      await signIn(String(fields.get('email')).trim(), String(fields.get('password')));
    } catch (error) {
      setTrouble(wordsOf(error));
      setBusy(false);
      password.current?.select();
    }
  };

  return (
    <main class="gate" id="main">
      <Orbits />
      <div class="gate-card">
        <Mark />
        <h1>Hub</h1>
        <p>Sign in to see what has arrived.</p>
        <form aria-label="Sign in" aria-busy={isBusy} onSubmit={submit}>
          {trouble !== '' && (
            <p class="fault" role="alert">
              {trouble}
            </p>
          )}
          <div class="field">
            <label for="email">E-mail</label>
            <input id="email" name="email" type="email" autocomplete="username" required autofocus />
          </div>
          <div class="field">
            <label for="password">Password</label>
            <div class="look">
              <input
                ref={password}
                id="password"
                name="password"
                {...(isShown ? ({ type: 'text' } as const) : ({ type: 'password' } as const))}
                autocomplete="current-password"
                required
              />
              <button
                class="icon-btn"
                type="button"
                aria-label="Show the password"
                aria-pressed={isShown}
                onClick={() => setShown(!isShown)}
              >
                <Eye />
              </button>
            </div>
          </div>
          <button class="btn is-main is-wide" type="submit" aria-disabled={isBusy}>
            Sign in
          </button>
        </form>
        <p class="foot">No account yet? Ask someone in the workspace for an invitation link.</p>
      </div>
    </main>
  );
}
