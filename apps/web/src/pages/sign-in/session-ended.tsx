import type { Me } from '@hub/contract';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { checkSignedIn } from '../../data/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Orbits } from '../../ui/icons/art.tsx';
import { Mark } from '../../ui/icons/mark.tsx';
import { SignInForm } from './gate.tsx';
import { START_OVER, useSignOut } from './use-sign-out.tsx';

/**
 * The sign-in dialog for an ended session. It covers the pages, which keep their drafts. As a modal dialog, it is above
 * all other dialogs. For a disabled account, no page remains below it.
 */
export function SessionEnded({ me, isDisabled }: { me: Pick<Me, 'email' | 'name'>; isDisabled: boolean }) {
  const { leave, question } = useSignOut(START_OVER);
  const dialog = useRef<HTMLDialogElement>(null);
  // This has to run before the paint, when an element below the dialog loses the focus.
  useLayoutEffect(() => {
    const before = document.activeElement;
    // Uses a class because browsers recheck `:has()` for every element added or removed anywhere on the page.
    const page = dialog.current?.parentElement;
    page?.classList.add('is-covered');
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('#password')?.focus();
    return () => {
      page?.classList.remove('is-covered');
      // A covered element cannot take the focus, so wait until the dialog is gone.
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus();
      });
    };
  }, []);
  useEffect(() => {
    // Signing in from another tab is enough.
    const variant = () => {
      if (document.visibilityState === 'visible') void checkSignedIn();
    };
    document.addEventListener('visibilitychange', variant);
    return () => document.removeEventListener('visibilitychange', variant);
  }, []);
  return (
    <dialog
      class="gate gate-over"
      ref={dialog}
      aria-labelledby="session-ended"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Orbits />
      <div class="gate-card">
        <Mark />
        <h2 class="gate-title" id="session-ended">
          {isDisabled ? 'Your account was disabled' : 'Your session ended'}
        </h2>
        <p>
          {isDisabled
            ? 'Ask an admin to enable it, then sign in here. Your drafts are saved.'
            : 'Sign in to continue where you left off. Your drafts are saved.'}
        </p>
        <SignInForm email={me.email} />
        <p class="foot">
          Not {me.name}?{' '}
          <Button variant="is-bare is-small" label="Discard drafts and start over" onClick={() => leave()} />
        </p>
      </div>
      {question}
    </dialog>
  );
}
