import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { signOut } from '../../data/session/sign-out.ts';
import { countUnsaved, type UnsavedKind } from '../../data/unsent/unsaved-text.ts';
import { unsavedPhrase } from '../../lib/unsaved-summary.ts';
import { FormDialog, Problem, useTask } from '../../ui/forms/form.tsx';

interface SignOut {
  /** Signs out, after a confirmation if that would delete drafts. Then opens `to`. */
  leave: (to?: string) => void;
  question: ComponentChildren;
}

const SIGN_OUT = {
  title: 'Sign out and discard drafts?',
  subject: 'Signing out',
  act: 'Sign out',
  failure: 'Not signed out.',
};
/** The texts for a user whose session has ended. */
export const START_OVER: typeof SIGN_OUT = {
  title: 'Discard drafts and start over?',
  subject: 'Starting over',
  act: 'Start over',
  failure: 'Drafts not discarded.',
};

/**
 * Returns a function that signs out. It asks first if there are drafts or unsent messages, which signing out deletes so
 * that the next user of this browser cannot read them.
 */
export function useSignOut({ title, subject, act, failure } = SIGN_OUT): SignOut {
  const { me } = useWorkspace();
  const [unsaved, setUnsaved] = useState<Record<UnsavedKind, number> | null>(null);
  const { run, error, forget } = useTask();
  const next = useRef<string | undefined>(undefined);
  const signOutNow = () =>
    run(async () => {
      try {
        await signOut(next.current);
      } catch (cause) {
        setUnsaved(countUnsaved(me.peek().id));
        throw new Error(`${failure} ${errorMessage(cause)}`);
      }
    });
  const leave = (to?: string) => {
    next.current = to;
    const counts = countUnsaved(me.peek().id);
    if (unsavedPhrase(counts) === '') void signOutNow();
    else setUnsaved(counts);
  };
  const close = () => {
    setUnsaved(null);
    forget();
  };
  const phrase = unsaved && unsavedPhrase(unsaved);
  const question = phrase !== null && (
    <FormDialog
      title={phrase === '' ? `${act}?` : title}
      description={phrase && `${subject} deletes ${phrase} from this browser.`}
      submitLabel={error === '' ? act : 'Try again'}
      isDestructive
      onSubmit={signOutNow}
      onClose={close}
    >
      {() => <Problem text={error} />}
    </FormDialog>
  );
  return { leave, question };
}
