import { useEffect, useRef } from 'preact/hooks';

interface MarkdownBoxProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  placeholder?: string;
  rows?: number;
  isFocused?: boolean;
}

/** Where Markdown is written that is more than a line. */
export function MarkdownBox({ label, value, onInput, placeholder, rows = 8, isFocused = false }: MarkdownBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) box.current?.focus();
  }, []);
  return (
    <textarea
      ref={box}
      class="markdown-box"
      aria-label={label}
      placeholder={placeholder}
      rows={rows}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
