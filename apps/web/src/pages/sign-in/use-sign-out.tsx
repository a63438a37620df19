import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { signOut } from '../../data/session/session.ts';
import { countUnsaved, type UnsavedKind } from '../../data/unsent/unsaved-text.ts';
import { unsavedPhrase } from '../../lib/unsaved-phrase.ts';
import { FormDialog, Problem, useTask } from '../../ui/forms/form.tsx';

interface SignOut {
  /** Signs out, after a confirmation if that would delete unsent text. */
  leave: () => void;
  question: ComponentChildren;
}

/**
 * Returns a function that signs out. It asks first if there is unsent text, which signing out deletes so that the next
 * user of this browser cannot read it.
 */
export function useSignOut(): SignOut {
  const { me } = useWorkspace();
  const [kept, setKept] = useState<Record<UnsavedKind, number> | null>(null);
  const { run, error: failure, forget } = useTask();
  const signOutNow = () =>
    run(async () => {
      try {
        await signOut();
      } catch (error) {
        setKept(countUnsaved(me.peek().id));
        throw new Error(`Not signed out. ${errorMessage(error)}`);
      }
    });
  const leave = () => {
    const found = countUnsaved(me.peek().id);
    if (unsavedPhrase(found) === '') void signOutNow();
    else setKept(found);
  };
  const close = () => {
    setKept(null);
    forget();
  };
  const phrase = kept && unsavedPhrase(kept);
  const question = phrase !== null && (
    <FormDialog
      title={phrase === '' ? 'Sign out?' : 'Sign out and delete unsent text?'}
      lead={phrase && `Signing out deletes ${phrase} from this browser.`}
      act={failure === '' ? 'Sign out' : 'Try again'}
      isBad
      onSubmit={signOutNow}
      onClose={close}
    >
      {() => <Problem text={failure} />}
    </FormDialog>
  );
  return { leave, question };
}
