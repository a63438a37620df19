import Plus from 'icon:plus';
import type { NotificationKey, NotificationMode, NotificationSettings } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { Avatar } from '../../avatars/avatar.tsx';
import { setKeyMode } from '../../notifications/modes.ts';
import { Choice } from '../../ui/choice.tsx';
import { useWorkspace } from '../../workspace/workspace.ts';
import { ModeSelect } from './mode-select.tsx';
import type { SettingsProps } from './news-section.tsx';

type KeyChoice = NotificationSettings['keys'][number];

/** The keys of which one hears more, or less, than usual. */
export function KeysSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const others = useOtherKeys(settings.keys);
  // Chosen here and set to the usual, a key stays until the page is left: one may have slipped.
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
      <p class="help">
        What one program posts, whatever its Hub says, unless that is muted. Any post has this choice, too: press the
        name of its key.
      </p>
      <ul class="mode-list">
        {shown.map((key) => (
          <li key={key.keyId}>
            <Avatar id={key.keyId} name={key.name} kind="key" size="s" />
            <span class="grow">
              {key.name} <span class="help">{hubs.find(key.hubId)?.name}</span>
            </span>
            <ModeSelect label={`Notices of ${key.name}`} mode={key.mode} onChange={(mode) => void change(key, mode)} />
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

/** Keys that post, and are as usual: the newest of them, of which a menu has room. */
function useOtherKeys(chosen: readonly KeyChoice[]): readonly NotificationKey[] {
  const [keys, setKeys] = useState<readonly NotificationKey[]>([]);
  useEffect(() => {
    request<{ items: NotificationKey[] }>('GET', '/me/notices/keys', { query: { limit: 100 } }).then(
      ({ items }) => setKeys(items),
      () => setKeys([]),
    );
  }, []);
  return keys
    .filter(({ id }) => !chosen.some(({ keyId }) => keyId === id))
    .toSorted((one, other) => one.name.localeCompare(other.name));
}
