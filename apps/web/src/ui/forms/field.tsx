import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from './problem.tsx';
import { useSubmit } from './use-submit.ts';

interface FieldProps {
  /** The id of the input. */
  id: string;
  label: string;
  help?: ComponentChildren;
  error?: string;
  /** The input, with the attributes that `ariaOf` returns. */
  children: ComponentChildren;
}

/** A label, an input, a sentence of help and the error message. */
export function Field({ id, label, help, error = '', children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={`${id}-error`} text={error} />
    </div>
  );
}

interface TextFieldProps {
  id: string;
  label: string;
  value: string;
  onValue: (value: string) => void;
  help?: ComponentChildren;
  error?: string;
  /** A message about the value, with this id. */
  remark?: { id: string; message: ComponentChildren };
  isEmail?: boolean;
  autocomplete?: 'name' | 'off';
  autofocus?: boolean;
  inputMode?: 'numeric' | 'text';
  maxLength?: number;
  placeholder?: string;
  spellcheck?: boolean;
}

/** A field with a line of text. */
export function TextField(props: TextFieldProps) {
  const { id, label, value, onValue, help, error = '', remark, isEmail = false, ...attributes } = props;
  return (
    <Field id={id} label={label} help={help} error={error}>
      <input
        autocomplete="off"
        {...attributes}
        {...(isEmail ? ({ type: 'email' } as const) : ({ type: 'text' } as const))}
        id={id}
        value={value}
        aria-invalid={error !== ''}
        aria-describedby={[help !== undefined && `${id}-help`, remark?.id, `${id}-error`].filter(Boolean).join(' ')}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {remark?.message}
    </Field>
  );
}

interface NameFormProps extends Pick<TextFieldProps, 'id' | 'label' | 'help' | 'autocomplete' | 'maxLength'> {
  /** The saved name. */
  saved: string;
  /** The label of the button. By default "Save", with the label of the field for screen readers. */
  act?: string;
  /** The error message for an empty name. */
  missing?: string;
  /** Returns a message about the typed name. */
  remark?: (name: string) => { id: string; message: ComponentChildren };
  onSave: (name: string) => Promise<unknown>;
}

/** Edits one name. Shows changes made by others unless the user is editing the field. */
export function NameForm(props: NameFormProps) {
  const { saved, act, missing = 'Enter a name.', remark, onSave, ...field } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? saved;
  const { submit, isBusy, error } = useSubmit(async () => {
    if (name.trim() === '') throw new Error(missing);
    await onSave(name.trim());
    setTyped(null);
  });
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        {...field}
        {...(remark ? { remark: remark(name) } : {})}
        value={name}
        error={error}
        onValue={setTyped}
      />
      <button class="btn" type="submit" disabled={name.trim() === saved} aria-disabled={isBusy}>
        {act ?? 'Save'}
        {act === undefined && <span class="sr"> {field.label.toLowerCase()}</span>}
      </button>
    </form>
  );
}
