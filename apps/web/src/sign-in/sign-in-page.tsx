import { useEffect } from 'preact/hooks';
import { Mark } from '../icons/mark.tsx';
import { Orbits } from '../icons/orbits.tsx';
import { knownWorkspace } from '../session/known-workspace.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The way in. Where one wanted to go stays in the address, and is shown once one is in. */
export function SignInPage({ needsSetup }: { needsSetup: boolean }) {
  const name = knownWorkspace() ?? 'Hub';
  useEffect(() => {
    document.title = `Sign in · ${name}`;
    document.querySelector<HTMLElement>('#email')?.focus();
  }, [name]);
  return (
    <main class="gate" id="main">
      <Orbits />
      <div class="gate-card">
        <Mark />
        <h1>{name}</h1>
        {needsSetup ? <SetUpFirst /> : <SignIn />}
      </div>
    </main>
  );
}

function SignIn() {
  return (
    <>
      <p>Sign in to see what has arrived.</p>
      <SignInForm />
      <p class="foot">No account yet? Ask someone in the workspace for an invitation link.</p>
    </>
  );
}

/** Nobody can sign in before there is an account. */
function SetUpFirst() {
  return (
    <>
      <p>This server has no owner yet. Open the setup link that it printed when it started.</p>
      <p class="foot">
        To make a new link, run <code>hubctl setup-link</code> on the server's machine.
      </p>
    </>
  );
}
