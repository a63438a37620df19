import type { NotificationMode } from '@hub/contract';

const WORDS: Record<NotificationMode, string> = {
  usual: 'What concerns me',
  every: 'Every post',
  muted: 'Nothing: muted',
};
const MODES: readonly NotificationMode[] = ['usual', 'every', 'muted'];

interface ModeSelectProps {
  /** Of which Hub or key. */
  label: string;
  mode: NotificationMode;
  onChange: (mode: NotificationMode) => void;
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
