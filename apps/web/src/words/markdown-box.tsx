import { LengthLeft } from './length-left.tsx';

interface MarkdownBoxProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  maxCodePoints: number;
  /** Lines that there is room for when it is empty. */
  rows: number;
  placeholder: string;
}

/** Where Markdown is written that is more than a line. */
export function MarkdownBox({ label, value, onChange, maxCodePoints, rows, placeholder }: MarkdownBoxProps) {
  return (
    <div class="markdown-box">
      <textarea
        aria-label={label}
        placeholder={placeholder}
        rows={rows}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <LengthLeft text={value} most={maxCodePoints} />
    </div>
  );
}
