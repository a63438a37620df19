import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Problem } from './form.tsx';

interface SwitchProps {
  label: string;
  help?: ComponentChildren;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

export function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          const next = currentTarget.checked;
          // The switch shows the saved value and changes only once the new one is saved.
          currentTarget.checked = isOn;
          onChange(next);
        }}
      />
      <span>
        <b>{label}</b>
        {help !== undefined && <span class="help">{help}</span>}
      </span>
    </label>
  );
}

export function Checkbox(props: { isOn: boolean; onChange: (isOn: boolean) => void; children: ComponentChildren }) {
  const { isOn, onChange, children } = props;
  return (
    <label class="optline">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{children}</span>
    </label>
  );
}

export function toggled<Value>(values: readonly Value[], value: Value, isOn: boolean): readonly Value[] {
  return isOn ? [...values, value] : values.filter((each) => each !== value);
}

/** A filter that is on or off, with the number of rows that it adds. */
export function TogglePill(props: { label: string; count: number; isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { label, count, isOn, onChange } = props;
  return (
    <button class="pill" type="button" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {label} <span class="num">{count}</span>
    </button>
  );
}

interface Option<Value> {
  value: Value;
  label: ComponentChildren;
  isDisabled?: boolean;
}

interface OptionsProps<Value> {
  legend: string;
  isLegendHidden?: boolean;
  options: readonly Option<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** A group of radio buttons, one below the other. */
export function Options<Value>(props: OptionsProps<Value>) {
  const { legend, isLegendHidden = false, options, chosen, onChoose } = props;
  const name = useId();
  return (
    <fieldset class="options">
      <legend {...(isLegendHidden ? { class: 'sr' } : {})}>{legend}</legend>
      {options.map(({ value, label, isDisabled = false }) => (
        <label key={String(value)} class="optline">
          <input
            type="radio"
            name={name}
            checked={value === chosen}
            disabled={isDisabled}
            onChange={() => onChoose(value)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface PicksProps<Value> {
  /** The prefix of the ids of the help and the error, for an input below the options. */
  id?: string;
  legend: string;
  options: readonly Option<Value>[];
  /** The chosen value, or several with `isMany`. */
  chosen: readonly Value[];
  onChoose: (value: Value, isOn: boolean) => void;
  isMany?: boolean;
  help?: ComponentChildren;
  error?: string | undefined;
  children?: ComponentChildren;
}

/** A group of radio buttons or checkboxes in a row. */
export function Picks<Value>(props: PicksProps<Value>) {
  const { legend, options, chosen, onChoose, isMany = false, help, error = '', children } = props;
  const newId = useId();
  const { id = newId } = props;
  return (
    <fieldset class="field picks" aria-describedby={`${help === undefined ? '' : `${id}-help `}${id}-error`}>
      <legend class="label">{legend}</legend>
      <div class="picks-row">
        {options.map(({ value, label }) => (
          <label key={String(value)} class="pick">
            <input
              {...(isMany ? ({ type: 'checkbox' } as const) : ({ type: 'radio', name: id } as const))}
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) => onChoose(value, currentTarget.checked)}
            />
            {label}
          </label>
        ))}
      </div>
      {children}
      {help !== undefined && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      <Problem id={`${id}-error`} text={error} />
    </fieldset>
  );
}

/** The field that filters a list as you type. */
export function FindField(props: { label: string; value: string; onValue: (text: string) => void }) {
  const { label, value, onValue } = props;
  return (
    <input
      class="find"
      type="search"
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
