import { Check, Copy, Shield } from 'icons';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasScreenKeyboard } from '../../lib/widths.ts';
import { Button } from '../button.tsx';
import { copyOrSelect } from '../clipboard.ts';
import { Dialog } from '../dialog.tsx';
import { Checkbox } from './choices.tsx';

interface OnceDialogProps {
  noun: 'key' | 'token' | 'link' | 'codes';
  /** The secret. It exists only in the document, and only while the dialog is open. */
  secret: string;
  title: string;
  description: ComponentChildren;
  /** Where to store it, and what to do if it is lost. */
  care: string;
  /** Advice for users who close the dialog without saving the secret. */
  loss: string;
  children?: ComponentChildren;
  foot?: ComponentChildren;
  onClose: () => void;
}

/** Shows a new secret once. Until it is copied or marked as saved, closing asks for confirmation. */
export function OnceDialog(props: OnceDialogProps) {
  const { noun, secret, care, loss, children, foot, onClose } = props;
  const [isCopied, setCopied] = useState(false);
  const [isStored, setStored] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isSafe = isCopied || isStored;
  const requestClose = () => (isSafe ? onClose() : setAsking(true));
  useHeldPage(!isSafe);
  return (
    <>
      <Dialog
        title={props.title}
        description={props.description}
        isSticky
        onEscape={requestClose}
        onClose={onClose}
        foot={
          <Checkbox isOn={isStored} onChange={setStored}>
            I’ve {noun === 'link' && 'sent or '}saved the {noun}
          </Checkbox>
        }
        actions={<Button variant={isSafe ? 'is-main' : ''} label="Done" disabled={!isSafe} onClick={onClose} />}
      >
        <Secret text={secret} noun={noun} isMain={!isSafe} onCopied={() => setCopied(true)} />
        {children}
        <div class="banner">
          <Shield />
          <span class="grow">{care}</span>
        </div>
        {foot}
      </Dialog>
      {isAsking && (
        <Dialog
          title={`Close without saving the ${noun}?`}
          description={`You won’t see ${noun === 'codes' ? 'these' : 'this'} ${noun} again. ${loss}`}
          isDestructive
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button label="Close anyway" onClick={onClose} />
              <Button variant="is-main" label="Go back" autofocus onClick={() => setAsking(false)} />
            </>
          }
        />
      )}
    </>
  );
}

interface SecretProps {
  text: string;
  noun: string;
  /** Whether copying is the main action now. */
  isMain: boolean;
  onCopied: () => void;
}

/** By hand, the selected text is copied with keys, or by holding it. */
const NOT_COPIED = `Couldn’t copy. The text is selected: ${hasScreenKeyboard() ? 'hold it to copy it' : 'press Ctrl+C or ⌘C'}.`;

/** A secret with a copy button; selecting and copying it by hand counts as copied, too. */
function Secret({ text, noun, isMain, onCopied }: SecretProps) {
  const code = useRef<HTMLElement>(null);
  const [status, setStatus] = useState('');
  const isCopied = status === 'Copied';
  const onCopy = () => {
    setStatus('Copied');
    onCopied();
  };
  const copy = async () => {
    if (await copyOrSelect(text, code.current)) onCopy();
    else setStatus(NOT_COPIED);
  };
  const copiedByHand = () => {
    if (getSelection()?.toString().includes(text)) onCopy();
  };
  return (
    <div>
      <div class="secret">
        <code class="grow" ref={code} onCopy={copiedByHand}>
          {text}
        </code>
        <Button variant={isMain ? 'is-main' : ''} autofocus onClick={() => void copy()}>
          {isCopied ? <Check /> : <Copy />}
          {isCopied ? 'Copied' : 'Copy'}
          <span class="sr"> {noun}</span>
        </Button>
      </div>
      <p class={isCopied ? 'sr' : 'secret-help'} role="status">
        {status}
      </p>
    </div>
  );
}

/** Whether leaving now would lose something: then reloading and closing the tab ask for confirmation. */
function useHeldPage(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isHeld]);
}
