import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from './problem.tsx';
import { useSubmit } from './use-submit.ts';

interface ConfirmDialogProps {
  title: string;
  /** What happens then. */
  lead: ComponentChildren;
  children?: ComponentChildren;
  /** What the way back is called, and the deed. */
  keep: string;
  act: string;
  isBad?: boolean;
  /** What has to be typed first, and what that is. */
  typed?: { word: string; label: string };
  /** What it throws is shown. */
  onAct: () => Promise<unknown>;
  /** What comes after it, if that is not that the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks once more before something is done. The way back has the focus, so that no stray key does it. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, lead, children, keep, act, isBad, typed, onAct, onDone, onClose } = props;
  const id = useId();
  const [text, setText] = useState('');
  const isSure = typed === undefined || text.trim() === typed.word.trim();
  const { submit, isBusy, error } = useSubmit(async () => {
    if (!isSure) return;
    await onAct();
    (onDone ?? onClose)();
  });
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      actions={
        <>
          <button class="btn" type="button" onClick={onClose}>
            {keep}
          </button>
          <button
            class={isBad ? 'btn is-bad' : 'btn is-main'}
            type="submit"
            form={id}
            disabled={!isSure}
            aria-disabled={isBusy}
          >
            {act}
          </button>
        </>
      }
    >
      <form id={id} class="confirm" onSubmit={submit} noValidate>
        {children}
        {typed && (
          <div class="field">
            <label for={`${id}-typed`}>{typed.label}</label>
            <input
              id={`${id}-typed`}
              autocomplete="off"
              spellcheck={false}
              placeholder={typed.word}
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
        )}
        <Problem id={`${id}-error`} text={error} />
      </form>
    </Dialog>
  );
}
