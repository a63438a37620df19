import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { useSubmit } from './use-submit.ts';

/** The error message of a field. Always rendered, so that screen readers announce a new message. */
export function Problem({ id, text }: { id?: string; text: string }) {
  return (
    <p class="error" id={id} role="alert">
      {text}
    </p>
  );
}

/** Ties an input to its label, help and error message. */
export interface InputAria {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string;
}

interface LabelProps {
  label: string;
  help?: ComponentChildren;
  error?: string | undefined;
  /** The id of the input. By default, a generated one. */
  id?: string;
}

interface FieldProps extends LabelProps {
  /** A message about the value, with this id. */
  remark?: { id: string; message: ComponentChildren } | undefined;
  /** Renders the input with these attributes. */
  children: (aria: InputAria) => ComponentChildren;
}

/** A label, an input, a sentence of help and the error message. */
export function Field({ label, help, error = '', id: ownId, remark, children }: FieldProps) {
  const newId = useId();
  const id = ownId ?? newId;
  const describedBy = [help !== undefined && `${id}-help`, remark?.id, `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': error !== '', 'aria-describedby': describedBy })}
      {remark?.message}
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
  maxLength?: number;
  /** The first date or time, as in `value`. */
  min?: string;
  placeholder?: string;
  spellcheck?: boolean;
}

/** A field with a line of text, a date or a time. */
export function TextField(props: TextFieldProps) {
  const { label, help, error, id, remark, value, onValue, type = 'text', ...attributes } = props;
  return (
    <Field {...{ label, help, error, remark }} {...(id === undefined ? {} : { id })}>
      {(aria) => (
        <input
          autocomplete="off"
          // The types of Preact know each kind of input, but not their union.
          {...(type === 'text' ? { type } : type === 'email' ? { type } : { type })}
          {...attributes}
          {...aria}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
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

/** A field to select one of several options. */
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

interface NameFormProps extends Pick<TextFieldProps, 'id' | 'label' | 'help' | 'autocomplete' | 'maxLength'> {
  saved: string;
  /** The label of the button. By default "Save", with the label of the field for screen readers. */
  act?: string;
  missing?: string;
  /** Returns a message about the typed name. */
  remark?: (name: string) => NonNullable<FieldProps['remark']>;
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
      <TextField {...field} remark={remark?.(name)} value={name} error={error} onValue={setTyped} />
      <Button type="submit" disabled={name.trim() === saved} aria-disabled={isBusy}>
        {act ?? 'Save'}
        {act === undefined && <span class="sr"> {field.label.toLowerCase()}</span>}
      </Button>
    </form>
  );
}
