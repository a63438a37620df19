import { useEffect } from 'preact/hooks';
import { knownWorkspace } from '../../data/live/workspace.ts';
import { Mark } from '../../ui/icons/mark.tsx';
import { Orbits } from '../../ui/icons/orbits.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** The sign-in page. The requested page stays in the URL and opens after signing in. */
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
        {needsSetup ? <NoOwnerYet /> : <SignIn />}
      </div>
    </main>
  );
}

function SignIn() {
  return (
    <>
      <p>Sign in to see new posts.</p>
      <SignInForm />
      <p class="foot">No account yet? Ask an admin for an invitation link.</p>
    </>
  );
}

/** Shown instead of the form while no account exists. */
function NoOwnerYet() {
  return (
    <>
      <p>This server has no owner yet. Open the setup link that it printed when it started.</p>
      <p class="foot">
        To create a new link, run <code>hubctl setup-link</code> on the server’s machine.
      </p>
    </>
  );
}
