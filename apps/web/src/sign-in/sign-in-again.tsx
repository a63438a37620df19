import type { Me } from '@hub/contract';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Mark } from '../icons/mark.tsx';
import { Orbits } from '../icons/orbits.tsx';
import { lookWhetherSignedIn } from '../session/session.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useSignOut } from './use-sign-out.tsx';

/**
 * The session has ended, elsewhere or by time. It covers the pages, which wait beneath with what was typed in them; as a modal
 * dialog it also stands above every other one. Of an account that was disabled no page waits.
 */
export function SignInAgain({ me, isDisabled }: { me: Pick<Me, 'email' | 'name'>; isDisabled: boolean }) {
  const { leave, question } = useSignOut();
  const dialog = useRef<HTMLDialogElement>(null);
  // At once: what has the focus loses it as soon as it is painted beneath the cover.
  useLayoutEffect(() => {
    const before = document.activeElement;
    // A class, since browsers check `:has()` for each element that comes or goes anywhere on the page.
    const page = dialog.current?.parentElement;
    page?.classList.add('is-covered');
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('#password')?.focus();
    return () => {
      page?.classList.remove('is-covered');
      // What is covered takes no focus: first the cover has to be gone.
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
  useEffect(() => {
    // Whoever has signed in in another tab need not do so here.
    const look = () => {
      if (document.visibilityState === 'visible') void lookWhetherSignedIn();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return (
    <dialog
      class="gate gate-over"
      ref={dialog}
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Orbits />
      <div class="gate-card">
        <Mark />
        <h2 class="gate-title" id="sign-in-again">
          {isDisabled ? 'Your account was disabled' : 'You were signed out'}
        </h2>
        <p>
          {isDisabled
            ? 'Ask an admin of the workspace. Once it is enabled again, sign in here; what you have typed is still there.'
            : 'Your session has ended. Sign in to go on where you were; what you have typed is still there.'}
        </p>
        <SignInForm email={me.email} />
        <p class="foot">
          Not {me.name}?{' '}
          <button class="btn is-bare is-small" type="button" onClick={leave}>
            Delete what was typed, and start anew
          </button>
        </p>
      </div>
      {question}
    </dialog>
  );
}
