import type { ChangeNotificationsBody, NotificationSettings } from '@hub/contract';
import { errorMessage, request } from '../../api/request.ts';
import { toast } from '../../ui/toast.tsx';
import { Switch } from './switch.tsx';

export interface SettingsProps {
  settings: NotificationSettings;
  onChange: (settings: NotificationSettings) => void;
}

/** Which news give a notice in every Hub that is neither muted nor heard of in full. */
export function NewsSection({ settings, onChange }: SettingsProps) {
  const change = async (body: ChangeNotificationsBody) => {
    try {
      onChange(await request<NotificationSettings>('PATCH', '/me/notices', { body }));
    } catch (error) {
      toast(`Not changed. ${errorMessage(error)}`, { isBad: true });
    }
  };
  return (
    <section class="settings-section" aria-labelledby="notifications-news">
      <h2 id="notifications-news">What concerns you</h2>
      <Switch
        label="Mentions"
        help="Somebody, or a program, writes @ and your name."
        isOn={settings.mentions}
        onChange={(mentions) => void change({ mentions })}
      />
      <Switch
        label="To-dos for you"
        help="Somebody else gives you one."
        isOn={settings.assignments}
        onChange={(assignments) => void change({ assignments })}
      />
      <Switch
        label="Replies"
        help="In threads that you began or wrote in."
        isOn={settings.replies}
        onChange={(replies) => void change({ replies })}
      />
    </section>
  );
}
