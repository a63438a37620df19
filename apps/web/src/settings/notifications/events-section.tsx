import type { ChangeNotificationsBody, NotificationSettings } from '@hub/contract';
import { errorMessage, request } from '../../data/request.ts';
import { toast } from '../../ui/toast.tsx';
import { Switch } from './switch.tsx';

export interface SettingsProps {
  settings: NotificationSettings;
  onChange: (settings: NotificationSettings) => void;
}

/** Selects which events send notifications in Hubs that have the default setting. */
export function EventsSection({ settings, onChange }: SettingsProps) {
  const change = async (body: ChangeNotificationsBody) => {
    try {
      onChange(await request('PATCH /me/notices', { body }));
    } catch (error) {
      toast(`Couldn’t save. ${errorMessage(error)}`, { isBad: true });
    }
  };
  return (
    <section class="settings-section" aria-labelledby="notifications-events">
      <h2 id="notifications-events">Notify me about</h2>
      <Switch
        label="Mentions"
        help="A person or program writes @ and your name."
        isOn={settings.mentions}
        onChange={(mentions) => void change({ mentions })}
      />
      <Switch
        label="Assigned to-dos"
        help="Someone else assigns you a to-do."
        isOn={settings.assignments}
        onChange={(assignments) => void change({ assignments })}
      />
      <Switch
        label="Replies"
        help="In threads you started or replied to."
        isOn={settings.replies}
        onChange={(replies) => void change({ replies })}
      />
    </section>
  );
}
