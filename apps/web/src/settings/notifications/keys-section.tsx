import Plus from 'icon:plus';
import type { NotificationKey, NotificationMode, NotificationSettings } from '@hub/contract';
import { useState } from 'preact/hooks';
import { Avatar } from '../../avatars/avatar.tsx';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { Choice } from '../../ui/choice.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import type { SettingsProps } from './events-section.tsx';
import { setKeyMode } from './key-mode.ts';
import { ModeSelect } from './mode-select.tsx';

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
    <section class="settings-section" aria-labelledby="notifications-keys">
      <h2 id="notifications-keys">Keys</h2>
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
    </section>
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
