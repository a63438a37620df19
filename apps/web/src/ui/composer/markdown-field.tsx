import { useId, useState } from 'preact/hooks';
import { MarkdownArea } from './markdown-area.tsx';
import { lengthOf } from './text-length.ts';

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
  const [isPreview, setPreview] = useState(false);
  const lengthId = useId();
  const length = lengthOf(value, maxCodePoints);
  const onKey = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (key !== 'Enter' || !(ctrlKey || metaKey) || !onSubmit || length.isTooLong) return false;
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
          {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
          value={value}
          onChange={onChange}
          rows={rows}
          hubId={hubId}
          isPreview={isPreview}
          onPreview={setPreview}
          describedBy={lengthId}
          isInvalid={length.isTooLong}
          isFocused={props.isFocused ?? false}
          onKey={onKey}
        >
          <span class={length.isTooLong ? 'length is-bad' : 'length'} id={lengthId} role="status">
            {length.text}
          </span>
        </MarkdownArea>
      </div>
    </div>
  );
}

/** Whether the text is within the limit, so that its submit button can be enabled. */
export function fits(text: string, maxCodePoints: number): boolean {
  return !lengthOf(text, maxCodePoints).isTooLong;
}
