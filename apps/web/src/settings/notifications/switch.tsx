import type { ComponentChildren } from 'preact';

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
