import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from './problem.tsx';
import { useSubmit } from './use-submit.ts';

interface ConfirmDialogProps {
  title: string;
  /** Says what the action does. */
  lead: ComponentChildren;
  children?: ComponentChildren;
  /** The label of the confirm button. */
  act: string;
  isBad?: boolean;
  /** Text that must be typed to confirm, and the label of its field. */
  typed?: { word: string; label: string };
  /** Performs the action. The message of a thrown error is shown in the dialog. */
  onAct: () => Promise<unknown>;
  /** Called after the action. By default, the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks for confirmation. "Cancel" has the focus, so that a stray key press does not confirm. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, lead, children, act, isBad, typed, onAct, onDone, onClose } = props;
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
            Cancel
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
