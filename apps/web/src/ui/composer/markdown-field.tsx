import { MarkdownArea } from './markdown-area.tsx';
import { fits } from './text-length.ts';

interface MarkdownFieldProps {
  label: string;
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  value: string;
  onChange: (text: string) => void;
  maxCodePoints: number;
  rows: number;
  placeholder?: string;
  hubId?: string;
  isFocused?: boolean;
  /** Called on Control+Enter or Command+Enter. */
  onSubmit?: () => void;
}

/** A field for longer Markdown text, in which Enter adds a line break. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, isLabelHidden = false, value, onChange, maxCodePoints, rows, hubId, onSubmit } = props;
  const onKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (key !== 'Enter' || !(ctrlKey || metaKey) || !onSubmit || !fits(value, maxCodePoints)) return false;
    onSubmit();
    return true;
  };
  return (
    <div class="markdown-field">
      <span class={isLabelHidden ? 'sr' : 'label'} aria-hidden="true">
        {label}
      </span>
      <div class="composer is-field">
        <MarkdownArea
          label={label}
          placeholder={props.placeholder}
          value={value}
          onChange={onChange}
          rows={rows}
          hubId={hubId}
          maxCodePoints={maxCodePoints}
          isFocused={props.isFocused}
          onKey={onKey}
        />
      </div>
    </div>
  );
}
