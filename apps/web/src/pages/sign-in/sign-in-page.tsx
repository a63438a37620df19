import type { LinkKind } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { knownWorkspace } from '../../data/live/workspace.ts';
import { ways } from '../../data/session/session.ts';
import { Gate, openDirectly, SignInForm } from './gate.tsx';
import { LinkPage } from './link-page.tsx';

interface SignInPageProps {
  linkKind?: LinkKind;
  /** Nobody has an account, so nobody can sign in. */
  needsSetup?: boolean;
}

/** The page of a one-time link, or the sign-in page. The requested page stays in the URL and opens after signing in. */
export function SignInPage({ linkKind, needsSetup = false }: SignInPageProps) {
  return linkKind === undefined ? <SignIn needsSetup={needsSetup} /> : <LinkPage kind={linkKind} />;
}

function SignIn({ needsSetup }: { needsSetup: boolean }) {
  const name = knownWorkspace() ?? 'Hub';
  const [isLeaving] = useState(() => !needsSetup && openDirectly());
  useEffect(() => {
    document.title = `Sign in · ${name}`;
    document.querySelector<HTMLElement>('#email')?.focus();
  }, [name]);
  if (isLeaving) return <Gate title={name}>Opening {ways.value?.provider?.name}…</Gate>;
  return <Gate title={name}>{needsSetup ? <NoOwnerYet /> : <SignInCard />}</Gate>;
}

function SignInCard() {
  return (
    <>
      <p>Sign in to see new posts.</p>
      <SignInForm />
      {ways.value?.provider?.isOnly ? (
        <p class="foot">
          <a href="/sign-out" target="_self">
            Sign out at {ways.value.provider.name}
          </a>{' '}
          to use another account.
        </p>
      ) : (
        <p class="foot">No account yet? Ask an admin for an invitation link.</p>
      )}
    </>
  );
}

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
