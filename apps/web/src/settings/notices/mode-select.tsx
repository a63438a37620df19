import type { NoticeMode } from '@hub/contract';

const WORDS: Record<NoticeMode, string> = {
  usual: 'What concerns me',
  every: 'Every post',
  muted: 'Nothing: muted',
};
const MODES: readonly NoticeMode[] = ['usual', 'every', 'muted'];

interface ModeSelectProps {
  /** Of which Hub or key. */
  label: string;
  mode: NoticeMode;
  onChange: (mode: NoticeMode) => void;
}

/** How much one hears of a Hub or a key. */
export function ModeSelect({ label, mode, onChange }: ModeSelectProps) {
  return (
    <select
      class="select"
      aria-label={label}
      value={mode}
      onChange={({ currentTarget }) => {
        const chosen = MODES.find((each) => each === currentTarget.value);
        if (chosen) onChange(chosen);
      }}
    >
      {MODES.map((each) => (
        <option key={each} value={each}>
          {WORDS[each]}
        </option>
      ))}
    </select>
  );
}
