import type { NotificationMode } from '@hub/contract';
import { useResource } from '../../../data/live/use-resource.ts';
import { request } from '../../../data/request.ts';
import { setKeyMode } from '../../../ui/notification-modes.ts';

const LABELS: Record<NotificationMode, string> = {
  usual: 'Mentions and replies',
  every: 'All posts',
  muted: 'Nothing (muted)',
};
const MODES: readonly NotificationMode[] = ['usual', 'every', 'muted'];

interface ModeSelectProps {
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
        const mode = MODES.find((each) => each === currentTarget.value);
        if (mode) onChange(mode);
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

/** Notification setting of one key, shown with its details. Renders nothing until loaded. */
export function KeyNotifications({ keyId, name }: { keyId: string; name: string }) {
  const { value: settings, set } = useResource((signal) => request('GET /me/notifications', { signal }), {
    key: keyId,
  });
  if (settings === undefined) return null;
  const mode = settings.keys.find((key) => key.keyId === keyId)?.mode ?? 'usual';
  const change = async (mode: NotificationMode) => {
    const changed = await setKeyMode({ id: keyId, name }, mode);
    if (changed) set(changed);
  };
  return (
    <p class="key-notifications">
      <span>Notify me about</span>
      <ModeSelect label={`Notifications for ${name}`} mode={mode} onChange={(mode) => void change(mode)} />
    </p>
  );
}
