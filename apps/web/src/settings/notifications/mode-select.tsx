import type { NotificationMode } from '@hub/contract';

const LABELS: Record<NotificationMode, string> = {
  usual: 'Mentions and replies',
  every: 'All posts',
  muted: 'Nothing (muted)',
};
const MODES: readonly NotificationMode[] = ['usual', 'every', 'muted'];

interface ModeSelectProps {
  /** The name of the Hub or key. */
  label: string;
  mode: NotificationMode;
  onChange: (mode: NotificationMode) => void;
}

/** Selects which posts of a Hub or key send notifications. */
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
          {LABELS[each]}
        </option>
      ))}
    </select>
  );
}
