import { LIMITS } from '@hub/contract/limits';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, request } from '../../data/request.ts';
import { signedIn, signInRejected, USER, ways } from '../../data/session/session.ts';
import { getPasskey, hasPasskeys } from '../../lib/passkeys.ts';
import { readStored } from '../../lib/stored.ts';
import { Button } from '../../ui/button.tsx';
import { Problem, TextField, useSubmit, useTask, useText } from '../../ui/forms/form.tsx';
import { PasswordInput } from '../../ui/forms/password.tsx';
import { Orbits } from '../../ui/icons/art.tsx';
import { Mark } from '../../ui/icons/mark.tsx';

/** A page that needs no session: one card. */
export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <main class="gate" id="main">
      <Orbits />
      <div class="gate-card">
        <Mark />
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Texts above the form, most of them why a sign-in with the provider has failed, by the word in the address. */
const PROBLEMS: Readonly<Record<string, string>> = {
  canceled: 'You canceled signing in.',
  failed: 'Signing in did not work. Try again.',
  unavailable: 'The sign-in service cannot be reached at the moment. Try again later.',
  unverified: 'Your e-mail address is not verified there. Verify it, then try again.',
  'no-account': 'You have no account here. Ask an admin for an invitation.',
  'not-allowed': 'Your account there may not sign in here. Ask an admin.',
  'other-account': 'Another account there already signs in as you. Ask an admin.',
  disabled: 'Your account is disabled. Ask an admin to enable it.',
  'not-offered': 'You are signed out here, but may still be signed in there: it offers no way to sign out.',
  password: '',
  'email-changed': 'Your e-mail address was changed. Sign in with it.',
};
const PROBLEM = 'sign-in';

/** Opens the provider at once if the server is set so, unless a word in the address or an earlier sign-out says otherwise. */
export function openDirectly(): boolean {
  const isDirect = ways.peek()?.provider?.isDirect === true && !new URL(location.href).searchParams.has(PROBLEM);
  if (!isDirect || readStored(USER) === '') return false;
  location.replace(providerPath(location.pathname + location.search));
  return true;
}

const providerPath = (then: string): string => `/sign-in?then=${encodeURIComponent(then)}`;

/** Takes the problem out of the address, so that it does not come back with a reload. */
function takeProblem(): string {
  const url = new URL(location.href);
  const word = url.searchParams.get(PROBLEM);
  if (word === null) return '';
  url.searchParams.delete(PROBLEM);
  history.replaceState(history.state, '', url);
  return PROBLEMS[word] ?? PROBLEMS.failed ?? '';
}

/** The ways to sign in. `email`: the address of the user whose session ended. */
export function SignInForm({ email = '' }: { email?: string }) {
  const [problem] = useState(takeProblem);
  const { run, isBusy, error: failure } = useTask();
  const address = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [forgotten, setForgotten] = useState<string | null>(null);
  const [asksForCode, setAsksForCode] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    return run(async () => {
      try {
        const email = String(fields.get('email')).trim();
        const code = fields.get('code');
        const body = { email, password: String(fields.get('password')), ...(code !== null && { code: String(code) }) };
        signedIn(await request('POST /session', { body }));
      } catch (error) {
        if (error instanceof ApiError) signInRejected(String(fields.get('email')).trim(), error.message);
        // The password is right, and the account has a second factor.
        const isAsked = error instanceof ApiError && error.statusCode === 403 && !asksForCode;
        if (isAsked) return setAsksForCode(true);
        if (!asksForCode) password.current?.select();
        // Only here does a 401 mean that the input is wrong.
        throw error instanceof ApiError ? new Error(error.message) : error;
      }
    });
  };
  if (forgotten !== null) return <ForgottenPassword email={forgotten} onBack={() => setForgotten(null)} />;
  return (
    <form aria-label="Sign in" aria-busy={isBusy} onSubmit={submit}>
      <Problem text={problem} />
      <ProviderLink verb="Sign in" then={location.pathname + location.search} />
      {ways.value?.provider?.isOnly || (
        <>
          {ways.value?.provider && <p>or with your password</p>}
          <div class="field">
            <label for="email">E-mail</label>
            <input
              ref={address}
              id="email"
              name="email"
              type="email"
              autocomplete="username"
              defaultValue={email}
              required
            />
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
          {asksForCode && <CodeField isWrong={failure !== ''} />}
          <Problem id="sign-in-error" text={failure} />
          <Button
            variant={ways.value?.provider ? 'is-wide' : 'is-main is-wide'}
            label={isBusy ? 'Signing in…' : 'Sign in'}
            type="submit"
            aria-disabled={isBusy}
          />
          {ways.value && (
            <p>
              {ways.value.canReset ? (
                <Button
                  variant="is-bare is-small"
                  label="Forgot your password?"
                  onClick={() => setForgotten(address.current?.value.trim() ?? '')}
                />
              ) : (
                'Forgot your password? Ask an admin for a reset link.'
              )}
            </p>
          )}
          <PasskeyButton isBusy={isBusy} run={run} />
        </>
      )}
    </form>
  );
}

/** Signs in with a passkey of this browser, which needs no password. */
function PasskeyButton({ isBusy, run }: { isBusy: boolean; run: (work: () => Promise<unknown>) => Promise<void> }) {
  const use = async () => {
    try {
      const { options } = await request('POST /session/passkey-options');
      const credential = await getPasskey(options);
      signedIn(await request('POST /session/passkey', { body: { credential } }));
    } catch (error) {
      throw error instanceof ApiError ? new Error(error.message) : error;
    }
  };
  return hasPasskeys() ? (
    <Button variant="is-wide" label="Use a passkey" aria-disabled={isBusy} onClick={() => void run(use)} />
  ) : null;
}

/** Asks for the provider if it is not known, as after the end of a session. Without a response, only passwords are offered. */
async function loadProvider(): Promise<void> {
  ways.value ??= await request('GET /session').catch(() => undefined);
}

/** Leads to the provider, if there is one; target keeps the app from opening the page itself. */
export function ProviderLink({ verb, then = '/' }: { verb: 'Sign in' | 'Join'; then?: string }) {
  useEffect(() => void loadProvider(), []);
  return ways.value?.provider ? (
    <a class="btn is-main is-wide" href={providerPath(then)} target="_self">
      {verb} with {ways.value.provider.name}
    </a>
  ) : null;
}

/** The code of an authenticator app, or a recovery code. It takes the focus as soon as it is asked for. */
export function CodeField({ isWrong }: { isWrong: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (isWrong) field.current?.select();
  }, [isWrong]);
  return (
    <div class="field">
      <label for="code">Code</label>
      <input
        ref={field}
        id="code"
        name="code"
        type="text"
        autocomplete="one-time-code"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="code-help sign-in-error"
      />
      <p class="help" id="code-help">
        From your authenticator app, or a recovery code. Or use a passkey instead.
      </p>
    </div>
  );
}

/** Requests a reset link by e-mail, in place of the sign-in form. */
function ForgottenPassword({ email: typed, onBack }: { email: string; onBack: () => void }) {
  const email = useText(typed);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    if (email.value.trim() === '') throw new Error('Enter your e-mail address.');
    setSentTo((await request('POST /password-resets', { body: { email: email.value } })).email);
  });
  return (
    <form aria-label="Forgot your password?" aria-busy={isBusy} noValidate onSubmit={submit}>
      <p role="status">
        {sentTo === null
          ? 'You get a link by e-mail to choose a new password.'
          : `If ${sentTo} has an account with a password, the link arrives in a moment. It is valid for 24 hours.`}
      </p>
      {sentTo === null && (
        <>
          <TextField
            label="E-mail"
            type="email"
            maxLength={LIMITS.emailCodePoints}
            autofocus
            error={error}
            {...email}
          />
          <Button variant="is-main is-wide" label="Send link" type="submit" aria-disabled={isBusy} />
        </>
      )}
      <Button variant="is-wide" label="Back to sign-in" onClick={onBack} />
    </form>
  );
}
