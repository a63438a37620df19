import Shield from 'icon:shield';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { Secret } from './secret.tsx';
import { useHeldPage } from './use-held-page.ts';

export interface CopyOnceText {
  title: string;
  lead: ComponentChildren;
  /** Where to store it, and what to do if it is lost. */
  care: string;
  /** Advice for users who close the dialog without copying the secret. */
  loss: string;
}

interface CopyOnceDialogProps {
  noun: 'key' | 'token';
  /** The secret. It exists only in the document, and only while the dialog is open. */
  secret: string;
  text: CopyOnceText;
  /** Explains how to use it. */
  children: ComponentChildren;
  /** Shown below the advice on storing it. */
  foot?: ComponentChildren;
  onClose: () => void;
}

/** Shows a new secret once. Until it is copied or marked as saved, closing asks for confirmation. */
export function CopyOnceDialog({ noun, secret, text, children, foot, onClose }: CopyOnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isSafe = isCopied || isStored;
  const requestClose = () => (isSafe ? onClose() : setAsking(true));
  useHeldPage({ isHeld: !isSafe, onBack: requestClose });
  return (
    <>
      <Dialog
        title={text.title}
        lead={text.lead}
        isSticky
        onEscape={requestClose}
        onClose={onClose}
        foot={
          <label class="optline">
            <input
              type="checkbox"
              checked={isStored}
              onChange={({ currentTarget }) => setStored(currentTarget.checked)}
            />
            I’ve saved the {noun}
          </label>
        }
        actions={
          <button class={isSafe ? 'btn is-main' : 'btn'} type="button" disabled={!isSafe} onClick={onClose}>
            Done
          </button>
        }
      >
        <Secret text={secret} noun={noun} isMain={!isSafe} onCopied={() => setCopied(true)} />
        {children}
        <div class="banner">
          <Shield size="s" />
          <span class="grow">{text.care}</span>
        </div>
        {foot}
      </Dialog>
      {isAsking && <CloseWithoutCopy noun={noun} loss={text.loss} onBack={() => setAsking(false)} onClose={onClose} />}
    </>
  );
}

interface CloseWithoutCopyProps {
  noun: string;
  loss: string;
  onBack: () => void;
  onClose: () => void;
}

function CloseWithoutCopy({ noun, loss, onBack, onClose }: CloseWithoutCopyProps) {
  return (
    <Dialog
      title={`Close without copying the ${noun}?`}
      lead={`You won’t see this ${noun} again. ${loss}`}
      onClose={onBack}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Close anyway
          </button>
          <button class="btn is-main" type="button" autofocus onClick={onBack}>
            Go back
          </button>
        </>
      }
    />
  );
}
