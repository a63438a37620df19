import type { Hub, NotificationMode, NotificationSettings } from '@hub/contract';
import { errorMessage, path, request } from '../api/request.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { toast } from '../ui/toast.tsx';

const DONE: Record<NotificationMode, (name: string) => string> = {
  usual: (name) => `You'll be notified about mentions and replies in ${name}.`,
  every: (name) => `You'll be notified about all posts in ${name}.`,
  muted: (name) => `${name} muted.`,
};

/** Sets the notification mode of a Hub and updates the sidebar. Returns null after showing an error. */
export async function setHubMode(
  hubs: Hubs,
  { id, name }: Pick<Hub, 'id' | 'name'>,
  mode: NotificationMode,
): Promise<NotificationSettings | null> {
  try {
    const settings = await request<NotificationSettings>('PUT', path`/me/notices/hubs/${id}`, { body: { mode } });
    hubs.mute(id, mode === 'muted');
    toast(DONE[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${errorMessage(error)}`, { isBad: true });
    return null;
  }
}

/** Sets the notification mode of a key. Returns null after showing an error. */
export async function setKeyMode(
  { id, name }: { id: string; name: string },
  mode: NotificationMode,
): Promise<NotificationSettings | null> {
  try {
    const settings = await request<NotificationSettings>('PUT', path`/me/notices/keys/${id}`, { body: { mode } });
    toast(DONE[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${errorMessage(error)}`, { isBad: true });
    return null;
  }
}
