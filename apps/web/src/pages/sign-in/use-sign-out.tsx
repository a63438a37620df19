import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { errorMessage } from '../../data/request.ts';
import { signOut } from '../../data/session/session.ts';
import { countUnsaved, type UnsavedKind } from '../../data/unsent/unsaved-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { unsavedPhrase } from './unsaved-phrase.ts';

interface SignOut {
  /** Signs out, after a confirmation if that would delete unsent text. */
  leave: () => void;
  /** The confirmation dialog or the error, for the caller to render. */
  question: ComponentChildren;
}

/**
 * Returns a function that signs out. It asks first if there is unsent text, which signing out deletes so that the next
 * user of this browser cannot read it.
 */
export function useSignOut(): SignOut {
  const { me } = useWorkspace();
  const [kept, setKept] = useState<Record<UnsavedKind, number> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const close = () => {
    setKept(null);
    setError('');
  };
  const signOutNow = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await signOut();
    } catch (error) {
      setKept(countUnsaved(me.peek().id));
      setError(`Not signed out. ${errorMessage(error)}`);
      setBusy(false);
    }
  };
  const leave = () => {
    const found = countUnsaved(me.peek().id);
    if (unsavedPhrase(found) === '') void signOutNow();
    else setKept(found);
  };
  return {
    leave,
    question: kept && <Question {...{ kept, isBusy, error: failure }} onClose={close} onGo={signOutNow} />,
  };
}

interface QuestionProps {
  kept: Record<UnsavedKind, number>;
  isBusy: boolean;
  error: string;
  onClose: () => void;
  onGo: () => Promise<void>;
}

function Question({ kept, isBusy, error: failure, onClose, onGo }: QuestionProps) {
  const phrase = unsavedPhrase(kept);
  const lead = phrase === '' ? undefined : `Signing out deletes ${phrase} from this browser.`;
  return (
    <Dialog
      title={phrase === '' ? 'Sign out?' : 'Sign out and delete unsent text?'}
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="btn is-bad" type="button" aria-disabled={isBusy} onClick={() => void onGo()}>
            {failure === '' ? 'Sign out' : 'Try again'}
          </button>
        </>
      }
    >
      <p class="error" role="alert">
        {failure}
      </p>
    </Dialog>
  );
}
