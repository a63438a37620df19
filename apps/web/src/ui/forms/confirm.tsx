import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { FormDialog, type FormDialogProps, TextField, useText } from './form.tsx';

interface ConfirmDialogProps
  extends Pick<FormDialogProps, 'title' | 'description' | 'submitLabel' | 'isDestructive' | 'givesSecret' | 'onClose'> {
  children?: ComponentChildren;
  /** Text that must be typed to confirm, in any case, and the label of its field. */
  typed?: { word: string; label: string };
  /** Performs the action. The message of a thrown error is shown in the dialog. */
  onAct: () => Promise<unknown>;
  /** Called after the action. By default, the dialog closes. */
  onDone?: () => void;
}

/** Asks for confirmation, if necessary by typing a name. */
export function ConfirmDialog({ children, typed, onAct, onDone, ...dialog }: ConfirmDialogProps) {
  const text = useText();
  const isSure = typed === undefined || text.value.trim().toLowerCase() === typed.word.trim().toLowerCase();
  return (
    <FormDialog
      {...dialog}
      isDisabled={!isSure}
      onSubmit={async () => {
        if (!isSure) return;
        await onAct();
        (onDone ?? dialog.onClose)();
      }}
    >
      {children}
      {typed && (
        <TextField label={typed.label} autocapitalize="off" placeholder={typed.word} spellcheck={false} {...text} />
      )}
    </FormDialog>
  );
}

type Question = Omit<ConfirmDialogProps, 'onClose'>;

/** Returns what asks for confirmation, and the dialog, which is rendered wherever the component likes. */
export function useConfirm() {
  const [question, ask] = useState<Question | null>(null);
  return { ask, dialog: question && <ConfirmDialog {...question} onClose={() => ask(null)} /> };
}
