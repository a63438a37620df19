import Check from 'icon:check';
import Copy from 'icon:copy';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dayAndTime } from '../time/format.ts';
import { writeClipboard } from '../ui/clipboard.ts';
import { Dialog } from '../ui/dialog.tsx';

/** The answer to the question that has just been asked. */
function focusIt(button: HTMLButtonElement | null): void {
  button?.focus();
}

interface LinkOnceDialogProps {
  title: string;
  /** For whom it is, and what it does. */
  lead: ComponentChildren;
  link: string;
  expiresAt: string | null;
  onClose: () => void;
}

/**
 * A link that works once and is shown once. Nothing loses it by accident: a press beside it does nothing, Escape and leaving the
 * page ask first.
 */
export function LinkOnceDialog({ title, lead, link, expiresAt, onClose }: LinkOnceDialogProps) {
  const [isKept, setKept] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const [error, setError] = useState('');
  const [isAsking, setAsking] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => copyButton.current?.focus(), []);
  useEffect(() => {
    if (isKept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isKept]);
  // Before it is painted: the next key may follow at once.
  useLayoutEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      if (isKept) onClose();
      else setAsking(true);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isKept]);
  const copy = async () => {
    setError('');
    if (!(await writeClipboard(link))) {
      setError('The browser does not let this page copy. Select the link and copy it by hand.');
      return;
    }
    setCopied(true);
    setKept(true);
    setAsking(false);
  };
  return (
    <Dialog title={title} lead={lead} isSticky onClose={onClose} actions={actions()}>
      <div class="secret">
        <code>{link}</code>
        <button class="btn is-main" type="button" ref={copyButton} onClick={() => void copy()}>
          {isCopied ? <Check /> : <Copy />} {isCopied ? 'Copied' : 'Copy'}
        </button>
      </div>
      <p class="error" role="alert">
        {error}
      </p>
      <p class="help">
        It works once{expiresAt !== null && <>, until {dayAndTime(expiresAt)}</>}. Hand it on yourself: no e-mail is
        sent.
      </p>
      <label class="optline">
        <input
          type="checkbox"
          checked={isKept}
          onChange={({ currentTarget }) => {
            setKept(currentTarget.checked);
            setAsking(false);
          }}
        />
        <span>I have handed it on or kept it</span>
      </label>
      {isAsking && (
        <div class="confirm-close" role="alert">
          Close without the link? It cannot be shown again; you can make another.
        </div>
      )}
    </Dialog>
  );

  function actions() {
    if (!isAsking)
      return (
        <button class="btn is-main" type="button" disabled={!isKept} onClick={onClose}>
          Done
        </button>
      );
    const stay = () => {
      setAsking(false);
      copyButton.current?.focus();
    };
    return (
      <>
        <button class="btn" type="button" onClick={onClose}>
          Close without it
        </button>
        <button class="btn is-main" type="button" ref={focusIt} onClick={stay}>
          Back to the link
        </button>
      </>
    );
  }
}
