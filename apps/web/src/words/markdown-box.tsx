interface MarkdownBoxProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  rows?: number;
}

/** Where Markdown is written that is more than a line. */
export function MarkdownBox({ label, value, onInput, placeholder, rows = 8 }: MarkdownBoxProps) {
  return (
    <textarea
      class="markdown-box"
      aria-label={label}
      placeholder={placeholder}
      rows={rows}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
