interface FindFieldProps {
  label: string;
  placeholder?: string;
  value: string;
  onValue: (text: string) => void;
}

/** The field that filters a list as you type. */
export function FindField({ label, placeholder = label, value, onValue }: FindFieldProps) {
  return (
    <input
      class="find"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => onValue(currentTarget.value)}
    />
  );
}
