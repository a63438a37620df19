interface FindFieldProps {
  label: string;
  value: string;
  onValue: (text: string) => void;
}

/** The field that filters a list as you type. */
export function FindField({ label, value, onValue }: FindFieldProps) {
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
