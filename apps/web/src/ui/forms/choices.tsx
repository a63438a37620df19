import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SwitchProps {
  label: string;
  help?: ComponentChildren;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** A setting that is on or off. */
export function Switch({ label, help, isOn, isDisabled = false, onChange }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          const asked = currentTarget.checked;
          // The switch shows the saved value and changes only once the new one is saved.
          currentTarget.checked = isOn;
          onChange(asked);
        }}
      />
      <span>
        <b>{label}</b>
        {help !== undefined && <span class="help">{help}</span>}
      </span>
    </label>
  );
}

interface TogglePillProps {
  label: string;
  count: number;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A filter that is on or off, with the number of rows that it adds. */
export function TogglePill({ label, count, isOn, onChange }: TogglePillProps) {
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

interface ChoiceProps<Value> {
  legend: string;
  options: readonly Option<Value>[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** A group of radio buttons, one below the other. */
export function Options<Value>(props: ChoiceProps<Value> & { isLegendHidden?: boolean }) {
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

interface PicksProps<Value> extends ChoiceProps<Value> {
  describedBy?: string;
  /** Content below the radio buttons. */
  children?: ComponentChildren;
}

/** A group of radio buttons in a row. */
export function Picks<Value>({ legend, options, chosen, onChoose, describedBy, children }: PicksProps<Value>) {
  const name = useId();
  return (
    <fieldset class="field picks" aria-describedby={describedBy}>
      <legend class="label">{legend}</legend>
      <div class="picks-row">
        {options.map(({ value, label }) => (
          <label key={String(value)} class="pick">
            <input type="radio" name={name} checked={value === chosen} onChange={() => onChoose(value)} />
            {label}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
