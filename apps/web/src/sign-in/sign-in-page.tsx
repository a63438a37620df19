import { useEffect } from 'preact/hooks';
import { Mark } from '../icons/mark.tsx';
import { Orbits } from '../icons/orbits.tsx';
import { knownWorkspace } from '../session/known-workspace.ts';
import { SignInForm } from './sign-in-form.tsx';

/** The way in. Where one wanted to go stays in the address, and is shown once one is in. */
export function SignInPage() {
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
        <p>Sign in to see what has arrived.</p>
        <SignInForm />
        <p class="foot">No account yet? Ask someone in the workspace for an invitation link.</p>
      </div>
    </main>
  );
}
