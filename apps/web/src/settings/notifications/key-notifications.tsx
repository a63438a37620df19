import type { NotificationMode } from '@hub/contract';
import { request } from '../../data/request.ts';
import { useResource } from '../../data/use-resource.ts';
import { setKeyMode } from './key-mode.ts';
import { ModeSelect } from './mode-select.tsx';

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
