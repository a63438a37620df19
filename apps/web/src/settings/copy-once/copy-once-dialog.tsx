import Shield from 'icon:shield';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { Secret } from './secret.tsx';
import { useHeldPage } from './use-held-page.ts';

export interface CopyOnceText {
  title: string;
  lead: ComponentChildren;
  /** Where it belongs, and what to do when it is lost. */
  care: string;
  /** What it means to close without having copied it. */
  loss: string;
}

interface CopyOnceDialogProps {
  /** What it is. */
  noun: 'key' | 'token';
  /** It is in the document while this is drawn, and nowhere else. */
  secret: string;
  text: CopyOnceText;
  /** How it is used. */
  children: ComponentChildren;
  /** Behind how to take care of it. */
  foot?: ComponentChildren;
  onClose: () => void;
}

/** A new secret, this once. Until it was copied, or somebody says that it is stored, nothing closes it without a question. */
export function CopyOnceDialog({ noun, secret, text, children, foot, onClose }: CopyOnceDialogProps) {
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isSafe = isCopied || isStored;
  const tryToClose = () => (isSafe ? onClose() : setAsking(true));
  useHeldPage({ isHeld: !isSafe, onBack: tryToClose });
  return (
    <>
      <Dialog
        title={text.title}
        lead={text.lead}
        isSticky
        onEscape={tryToClose}
        onClose={onClose}
        foot={
          <label class="optline">
            <input
              type="checkbox"
              checked={isStored}
              onChange={({ currentTarget }) => setStored(currentTarget.checked)}
            />
            I have stored the {noun}
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
      {isAsking && <CloseWithout noun={noun} loss={text.loss} onBack={() => setAsking(false)} onClose={onClose} />}
    </>
  );
}

interface CloseWithoutProps {
  noun: string;
  loss: string;
  onBack: () => void;
  onClose: () => void;
}

function CloseWithout({ noun, loss, onBack, onClose }: CloseWithoutProps) {
  return (
    <Dialog
      title={`Close without the ${noun}?`}
      lead={`It cannot be shown again. ${loss}`}
      onClose={onBack}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            Close without the {noun}
          </button>
          <button class="btn is-main" type="button" autofocus onClick={onBack}>
            Back to the {noun}
          </button>
        </>
      }
    />
  );
}
