import { isBlank } from '@hub/contract/blank-text';
import type { ComponentChildren, ComponentProps } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../data/request.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { labelledError, showProblems, textProblem } from './text-problem.ts';

/** Runs one action at a time. An error message stays until the next action or `forget`. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setError] = useState('');
  const run = async (work: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await work();
    } catch (error) {
      setError(errorMessage(error));
    }
    setBusy(false);
  };
  return { run, isBusy, error: failure, forget: () => setError('') };
}

/** The state of a form. Input is kept when sending it fails. Nothing is sent while a text field has a problem. */
export function useSubmit(send: () => Promise<unknown>) {
  const { run, ...state } = useTask();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!showProblems(event.currentTarget)) return run(send);
    state.forget();
  };
  return { ...state, submit };
}

/** The state of a text field, as its props. */
export function useText(initial = '') {
  const [value, onValue] = useState(initial);
  return { value, onValue };
}

/** The error message of a field. Always rendered, so that screen readers announce a new message. */
export function Problem({ id, text }: { id?: string; text: string }) {
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}

/** Ties an input to its label, help and error message. */
interface InputAria {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface LabelProps {
  label: string;
  help?: ComponentChildren;
  error?: string | undefined;
  id?: string | undefined;
}

export interface FieldProps extends LabelProps {
  /** A message about the value. */
  remark?: ComponentChildren;
  children: (aria: InputAria) => ComponentChildren;
}

export function Field({ label, help, error = '', id: ownId, remark, children }: FieldProps) {
  const newId = useId();
  const id = ownId ?? newId;
  const describedBy = `${help === undefined ? '' : `${id}-help `}${remark === undefined ? '' : `${id}-remark `}${id}-error`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== '', 'aria-describedby': describedBy })}
      {remark !== undefined && (
        <p class="help" id={`${id}-remark`} role="status">
          {remark}
        </p>
      )}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={`${id}-error`} text={error} />
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'date' | 'time' | 'datetime-local';
  autocapitalize?: 'off';
  autocomplete?: 'name' | 'off';
  autofocus?: boolean;
  inputMode?: 'numeric' | 'text';
  /** The limit of the server, in code points. It is checked before the form is sent. */
  maxLength?: number;
  /** The first date or time, as in `value`. */
  min?: string;
  placeholder?: string;
  spellcheck?: boolean;
}

/** A field with a line of text, a date or a time. */
export function TextField(props: TextFieldProps) {
  const { label, help, error: own = '', id, remark, value, onValue, type = 'text', maxLength, ...attributes } = props;
  const input = useRef<HTMLInputElement>(null);
  const problem = textProblem(label, value, { type, maxLength });
  /** The problem when the form was last sent. It is shown until the text is fine. */
  const [browserError, setBrowserError] = useState('');
  useLayoutEffect(() => {
    input.current?.setCustomValidity(problem);
    if (problem === '') setBrowserError('');
  }, [problem]);
  const error = browserError === '' ? labelledError(label, own) : browserError;
  return (
    <Field {...{ label, help, error, remark, id }}>
      {(aria) => (
        <input
          autocomplete="off"
          // The types of Preact know each kind of input, but not their union.
          {...(type === 'text' ? { type } : type === 'email' ? { type } : { type })}
          {...attributes}
          {...aria}
          ref={input}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          onInvalid={() => setBrowserError(problem)}
        />
      )}
    </Field>
  );
}

interface SelectFieldProps<Value extends string> extends LabelProps {
  value: Value;
  onValue: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
}

export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { value, onValue, options, ...field } = props;
  return (
    <Field {...field}>
      {(aria) => (
        <select {...aria} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value as Value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface NameFormProps
  extends Pick<TextFieldProps, 'id' | 'label' | 'help' | 'type' | 'autocomplete' | 'maxLength' | 'placeholder'> {
  saved: string;
  /** The label of the button. By default "Save", with the label of the field for screen readers. */
  submitLabel?: string;
  /** The error if nothing is entered; empty if that is allowed. */
  missing?: string;
  remark?: (name: string) => ComponentChildren;
  onSave: (name: string) => Promise<unknown>;
}

/** Edits one name. Shows changes made by others unless the user is editing the field. */
export function NameForm(props: NameFormProps) {
  const { saved, submitLabel, missing = 'Enter a name.', remark, onSave, ...field } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const name = draft ?? saved;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (isBlank(name) && missing !== '') throw new Error(missing);
    await onSave(name.trim());
    // Unless more was typed meanwhile.
    setDraft((now) => (now === draft ? null : now));
  });
  return (
    <form onSubmit={submit} noValidate>
      <TextField {...field} remark={remark?.(name)} value={name} error={error} onValue={setDraft} />
      <Button type="submit" disabled={name.trim() === saved} aria-disabled={isBusy}>
        {submitLabel ?? 'Save'}
        {submitLabel === undefined && <span class="sr"> {field.label.toLowerCase()}</span>}
      </Button>
    </form>
  );
}

export interface FormDialogProps {
  title: string;
  description: ComponentChildren;
  submitLabel: string | null;
  cancel?: string;
  isDestructive?: boolean;
  isDisabled?: boolean;
  isSticky?: boolean;
  /** Whether the response has a secret that is shown only once. The dialog then stays until the response arrives. */
  givesSecret?: boolean;
  /** Sends the form. The message of a thrown error is shown in the dialog. */
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  /** The fields. A function gets the error message to show it in a field. */
  children?: ComponentChildren | ((error: string) => ComponentChildren);
}

/** A dialog with a form. "Cancel" has the focus unless there is a field, so that a stray key press does not confirm. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submitLabel, cancel = 'Cancel', onSubmit, children } = props;
  const { isDestructive = false, isDisabled = false, isSticky = false, givesSecret = false } = props;
  const id = useId();
  const { submit, isBusy, error } = useSubmit(onSubmit);
  const mustStay = givesSecret && isBusy;
  const close = mustStay ? () => {} : props.onClose;
  return (
    <Dialog
      title={title}
      description={description}
      isSticky={isSticky || mustStay}
      isDestructive={isDestructive}
      onClose={close}
      actions={
        <>
          <Button label={cancel} onClick={close} />
          {submitLabel !== null && (
            <Button
              variant={isDestructive ? 'is-bad' : 'is-main'}
              label={submitLabel}
              type="submit"
              form={id}
              disabled={isDisabled}
              aria-disabled={isBusy}
            />
          )}
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

export function CloseDialog({ onClose, ...dialog }: Omit<ComponentProps<typeof Dialog>, 'actions'>) {
  return <Dialog {...dialog} onClose={onClose} actions={<Button label="Close" autofocus onClick={onClose} />} />;
}
