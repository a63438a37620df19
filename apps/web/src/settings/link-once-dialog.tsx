import Check from 'icon:check';
import Copy from 'icon:copy';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dayAndTime } from '../time/format.ts';
import { writeClipboard } from '../ui/clipboard.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Focuses a button that has just appeared. */
function focusIt(button: HTMLButtonElement | null): void {
  button?.focus();
}

interface LinkOnceDialogProps {
  title: string;
  /** Says who the link is for and what it does. */
  lead: ComponentChildren;
  link: string;
  expiresAt: string | null;
  onClose: () => void;
}

/**
 * Shows a link that can be used once. The link cannot be lost by accident: clicking outside does nothing, and pressing
 * Escape or leaving the page asks for confirmation first.
 */
export function LinkOnceDialog({ title, lead, link, expiresAt, onClose }: LinkOnceDialogProps) {
  const [isSaved, setSaved] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const [error, setError] = useState('');
  const [isAsking, setAsking] = useState(false);
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => copyButton.current?.focus(), []);
  useEffect(() => {
    if (isSaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isSaved]);
  // This has to be a layout effect: the next key press may come before a paint.
  useLayoutEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      if (isSaved) onClose();
      else setAsking(true);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isSaved]);
  const copy = async () => {
    setError('');
    if (!(await writeClipboard(link))) {
      setError('Couldn’t copy. Select the link and copy it by hand.');
      return;
    }
    setCopied(true);
    setSaved(true);
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
        Can be used once{expiresAt !== null && <> and expires {dayAndTime(expiresAt)}</>}. Share it yourself; Hub
        doesn’t send it by e-mail.
      </p>
      <label class="optline">
        <input
          type="checkbox"
          checked={isSaved}
          onChange={({ currentTarget }) => {
            setSaved(currentTarget.checked);
            setAsking(false);
          }}
        />
        <span>I’ve sent or saved the link</span>
      </label>
      {isAsking && (
        <div class="confirm-close" role="alert">
          Close without copying the link? You won’t see it again, but you can create another.
        </div>
      )}
    </Dialog>
  );

  function actions() {
    if (!isAsking)
      return (
        <button class="btn is-main" type="button" disabled={!isSaved} onClick={onClose}>
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
          Close anyway
        </button>
        <button class="btn is-main" type="button" ref={focusIt} onClick={stay}>
          Go back
        </button>
      </>
    );
  }
}
