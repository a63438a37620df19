import type { NotificationMode, NotificationSettings } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { request } from '../../api/request.ts';
import { setKeyMode } from '../../notifications/modes.ts';
import { ModeSelect } from './mode-select.tsx';

/** Notification setting of one key, shown with its details. Renders nothing until loaded. */
export function KeyNotifications({ keyId, name }: { keyId: string; name: string }) {
  const [settings, setSettings] = useState<NotificationSettings | null>(null);
  useEffect(() => {
    request<NotificationSettings>('GET', '/me/notices').then(setSettings, () => setSettings(null));
  }, [keyId]);
  if (settings === null) return null;
  const mode = settings.keys.find((key) => key.keyId === keyId)?.mode ?? 'usual';
  const change = async (asked: NotificationMode) => {
    const changed = await setKeyMode({ id: keyId, name }, asked);
    if (changed) setSettings(changed);
  };
  return (
    <p class="key-notifications">
      <span>Notify me about</span>
      <ModeSelect label={`Notifications for ${name}`} mode={mode} onChange={(asked) => void change(asked)} />
    </p>
  );
}
