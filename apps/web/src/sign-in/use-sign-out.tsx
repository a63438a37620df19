import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../api/request.ts';
import { signOut } from '../session/session.ts';
import { countKept, type KeptKind } from '../session/unsaved-text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { keptPhrase } from './kept-phrase.ts';

interface SignOut {
  /** Signs out; asks before, if that would lose words. */
  leave: () => void;
  /** The question while it is asked, or why it did not work. It is to be drawn. */
  question: ComponentChildren;
}

/** Signing out takes away what was written and not sent: the next person at this browser must not read it. */
export function useSignOut(): SignOut {
  const { me } = useWorkspace();
  const [kept, setKept] = useState<Record<KeptKind, number> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const close = () => {
    setKept(null);
    setError('');
  };
  const goOut = async () => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await signOut();
    } catch (error) {
      setKept(countKept(me.peek().id));
      setError(`Not signed out. ${errorMessage(error)}`);
      setBusy(false);
    }
  };
  const leave = () => {
    const found = countKept(me.peek().id);
    if (keptPhrase(found) === '') void goOut();
    else setKept(found);
  };
  return { leave, question: kept && <Question {...{ kept, isBusy, error: failure }} onClose={close} onGo={goOut} /> };
}

interface QuestionProps {
  kept: Record<KeptKind, number>;
  isBusy: boolean;
  error: string;
  onClose: () => void;
  onGo: () => Promise<void>;
}

function Question({ kept, isBusy, error: failure, onClose, onGo }: QuestionProps) {
  const phrase = keptPhrase(kept);
  const lead =
    phrase === ''
      ? undefined
      : `This browser keeps ${phrase} of yours. Signing out deletes that, so that nobody reads it after you.`;
  return (
    <Dialog
      title={phrase === '' ? 'Sign out?' : 'Sign out and delete what was not sent?'}
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Stay signed in
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
