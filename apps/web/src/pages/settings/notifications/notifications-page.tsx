import type { ChangeNotificationsBody, Hub, NotificationMode } from '@hub/contract';
import { useResource } from '../../../data/live/use-resource.ts';
import { useWorkspace } from '../../../data/live/workspace.ts';
import { errorMessage, request } from '../../../data/request.ts';
import { Switch } from '../../../ui/forms/choices.tsx';
import { Loaded, PageBody, Section } from '../../../ui/forms/page-body.tsx';
import { setHubMode } from '../../../ui/notification-modes.ts';
import { toast } from '../../../ui/toast.tsx';
import { BrowserSection } from './browser-section.tsx';
import { KeysSection, ModeSelect, type SettingsProps } from './key-notifications.tsx';
import { QuietSection } from './quiet-section.tsx';

/** The user's notification settings. All are stored on the server, except those for this browser. */
export function NotificationsPage() {
  const { state, reload, set } = useResource((signal) => request('GET /me/notices', { signal }));
  return (
    <PageBody title="Notifications" about="Choose what you’re notified about when you’re away." look="is-own">
      <Loaded state={state} onRetry={reload}>
        {(settings) => (
          <>
            <BrowserSection settings={settings} />
            <EventsSection settings={settings} onChange={set} />
            <QuietSection settings={settings} onChange={set} />
            <HubsSection settings={settings} onChange={set} />
            <KeysSection settings={settings} onChange={set} />
          </>
        )}
      </Loaded>
    </PageBody>
  );
}

const EVENTS = [
  { event: 'mentions', label: 'Mentions', help: 'A member or program writes @ and your name.' },
  { event: 'assignments', label: 'Assigned to-dos', help: 'Someone else assigns you a to-do.' },
  { event: 'replies', label: 'Replies', help: 'In threads you started or replied to.' },
] as const;

/** Selects which events send notifications in Hubs that have the default setting. */
function EventsSection({ settings, onChange }: SettingsProps) {
  const change = async (body: ChangeNotificationsBody) => {
    try {
      onChange(await request('PATCH /me/notices', { body }));
    } catch (error) {
      toast(`Couldn’t save. ${errorMessage(error)}`, { isBad: true });
    }
  };
  return (
    <Section id="notifications-events" title="Notify me about">
      {EVENTS.map(({ event, label, help }) => (
        <Switch
          key={event}
          label={label}
          help={help}
          isOn={settings[event]}
          onChange={(isOn) => void change({ [event]: isOn })}
        />
      ))}
    </Section>
  );
}

/** Notification settings of each of the user's Hubs. */
function HubsSection({ settings, onChange }: SettingsProps) {
  const { hubs } = useWorkspace();
  const modeOf = (hub: Hub): NotificationMode => settings.hubs.find(({ hubId }) => hubId === hub.id)?.mode ?? 'usual';
  const change = async (hub: Hub, mode: NotificationMode) => {
    const changed = await setHubMode(hubs, hub, mode);
    if (changed) onChange(changed);
  };
  return (
    <Section id="notifications-hubs" title="Hubs">
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
    </Section>
  );
}
