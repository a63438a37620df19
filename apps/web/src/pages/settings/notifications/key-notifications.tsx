import Plus from 'icon:plus';
import type { NotificationKey, NotificationMode, NotificationSettings } from '@hub/contract';
import { useState } from 'preact/hooks';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { request } from '../../../data/request.ts';
import { Avatar } from '../../../ui/avatars/avatar.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Section } from '../../../ui/forms/page-body.tsx';
import { setKeyMode } from '../../../ui/notification-modes.ts';

export interface SettingsProps {
  settings: NotificationSettings;
  onChange: (settings: NotificationSettings) => void;
}

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

/** Notification setting of one key, shown with its details. Renders nothing until loaded. */
export function KeyNotifications({ keyId, name }: { keyId: string; name: string }) {
  const { value: settings, set } = useResource((signal) => request('GET /me/notices', { signal }), { key: keyId });
  if (settings === undefined) return null;
  const mode = settings.keys.find((key) => key.keyId === keyId)?.mode ?? 'usual';
  const change = async (asked: NotificationMode) => {
    const changed = await setKeyMode({ id: keyId, name }, asked);
    if (changed) set(changed);
  };
  return (
    <p class="key-notifications">
      <span>Notify me about</span>
      <ModeSelect label={`Notifications for ${name}`} mode={mode} onChange={(asked) => void change(asked)} />
    </p>
  );
}

type KeyChoice = NotificationSettings['keys'][number];

/** Keys with their own notification setting. */
export function KeysSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const others = useOtherKeys(settings.keys);
  // A key reset to the default stays listed until the user leaves the page, so that a mistake is easy to undo.
  const [shown, setShown] = useState<readonly KeyChoice[]>(settings.keys.filter(({ isOver }) => !isOver));
  const change = async (key: Omit<KeyChoice, 'mode'>, mode: NotificationMode) => {
    const changed = await setKeyMode({ id: key.keyId, name: key.name }, mode);
    if (!changed) return;
    setShown([...shown.filter(({ keyId }) => keyId !== key.keyId), { ...key, mode }].toSorted(byName));
    onChange(changed);
  };
  return (
    <Section id="notifications-keys" title="Keys">
      <p class="help">Overrides the Hub’s setting for posts by one key, unless the Hub is muted.</p>
      <ul class="mode-list">
        {shown.map((key) => (
          <li key={key.keyId}>
            <Avatar id={key.keyId} name={key.name} kind="key" size="s" />
            <span class="grow">
              {key.name} <span class="help">{hubs.find(key.hubId)?.name}</span>
            </span>
            <ModeSelect
              label={`Notifications for ${key.name}`}
              mode={key.mode}
              onChange={(mode) => void change(key, mode)}
            />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <Choice
          label="Choose a key"
          icon={<Plus size="s" />}
          all="Choose a key"
          chosen={null}
          items={() =>
            others.map((key) => ({
              label: `${key.name} in ${hubs.find(key.hubId)?.name ?? 'another Hub'}`,
              run: () => void change({ keyId: key.id, hubId: key.hubId, name: key.name, isOver: false }, 'every'),
            }))
          }
        />
      )}
    </Section>
  );
}

function byName(one: KeyChoice, other: KeyChoice): number {
  return one.name.localeCompare(other.name);
}

/** Returns the newest 100 keys with the default setting, for the menu. */
function useOtherKeys(chosen: readonly KeyChoice[]): readonly NotificationKey[] {
  const load = (signal: AbortSignal) => request('GET /me/notices/keys', { query: { limit: 100 }, signal });
  const keys = useResource(load).value?.items ?? [];
  return keys
    .filter(({ id }) => !chosen.some(({ keyId }) => keyId === id))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
