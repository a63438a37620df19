import type { Hub, NotificationMode } from '@hub/contract';
import { setHubMode } from '../../notifications/modes.ts';
import { useWorkspace } from '../../workspace/workspace.ts';
import type { SettingsProps } from './events-section.tsx';
import { ModeSelect } from './mode-select.tsx';

/** Notification settings of each of the user's Hubs. */
export function HubsSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const modeOf = (hub: Hub): NotificationMode => settings.hubs.find(({ hubId }) => hubId === hub.id)?.mode ?? 'usual';
  const change = async (hub: Hub, mode: NotificationMode) => {
    const changed = await setHubMode(hubs, hub, mode);
    if (changed) onChange(changed);
  };
  return (
    <section class="settings-section" aria-labelledby="notifications-hubs">
      <h2 id="notifications-hubs">Hubs</h2>
      <p class="help">A muted Hub sends no notifications and doesn’t count unread posts.</p>
      <ul class="mode-list">
        {hubs.mine.value.map((hub) => (
          <li key={hub.id}>
            <span class="ring" />
            <a class="grow" href={`/hubs/${hub.id}`}>
              {hub.name}
            </a>
            <ModeSelect
              label={`Notifications for ${hub.name}`}
              mode={modeOf(hub)}
              onChange={(mode) => void change(hub, mode)}
            />
          </li>
        ))}
      </ul>
      {hubs.mine.value.length === 0 && <p class="help">You’re not in any Hubs yet.</p>}
    </section>
  );
}
