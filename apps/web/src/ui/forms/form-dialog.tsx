import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Problem, TextField } from './field.tsx';
import { useSubmit } from './use-submit.ts';

interface FormDialogProps {
  title: string;
  lead: ComponentChildren;
  act: string;
  cancel?: string;
  isBad?: boolean;
  isDisabled?: boolean;
  isSticky?: boolean;
  /** Sends the form. The message of a thrown error is shown in the dialog. */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** The fields. A function gets the error message to show it in a field. */
  children?: ComponentChildren | ((error: string) => ComponentChildren);
}

/** A dialog with a form. "Cancel" has the focus unless there is a field, so that a stray key press does not confirm. */
export function FormDialog(props: FormDialogProps) {
  const { title, lead, act, cancel = 'Cancel', isBad = false, isDisabled = false, isSticky = false } = props;
  const { onSubmit, onClose, children } = props;
  const id = useId();
  const { submit, isBusy, error } = useSubmit(onSubmit);
  return (
    <Dialog
      title={title}
      lead={lead}
      isSticky={isSticky}
      onClose={onClose}
      actions={
        <>
          <Button label={cancel} onClick={onClose} />
          <Button
            look={isBad ? 'is-bad' : 'is-main'}
            label={act}
            type="submit"
            form={id}
            disabled={isDisabled}
            aria-disabled={isBusy}
          />
        </>
      }
    >
      <form id={id} class="confirm" onSubmit={submit} noValidate>
        {typeof children === 'function' ? (
          children(error)
        ) : (
          <>
            {children}
            <Problem text={error} />
          </>
        )}
      </form>
    </Dialog>
  );
}

interface ConfirmDialogProps extends Pick<FormDialogProps, 'title' | 'lead' | 'act' | 'isBad' | 'onClose'> {
  children?: ComponentChildren;
  /** Text that must be typed to confirm, and the label of its field. */
  typed?: { word: string; label: string };
  /** Performs the action. The message of a thrown error is shown in the dialog. */
  onAct: () => Promise<unknown>;
  /** Called after the action. By default, the dialog closes. */
  onDone?: () => void;
}

/** Asks for confirmation, if necessary by typing a name. */
export function ConfirmDialog({ children, typed, onAct, onDone, ...dialog }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const isSure = typed === undefined || text.trim() === typed.word.trim();
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
        <TextField
          label={typed.label}
          autocapitalize="off"
          placeholder={typed.word}
          spellcheck={false}
          value={text}
          onValue={setText}
        />
      )}
    </FormDialog>
  );
}

interface CloseDialogProps extends Pick<FormDialogProps, 'title' | 'lead' | 'onClose'> {
  children?: ComponentChildren;
}

/** A dialog that only informs. */
export function CloseDialog({ onClose, ...dialog }: CloseDialogProps) {
  return <Dialog {...dialog} onClose={onClose} actions={<Button label="Close" autofocus onClick={onClose} />} />;
}
