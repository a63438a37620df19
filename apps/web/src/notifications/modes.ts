import type { Hub, NotificationMode, NotificationSettings } from '@hub/contract';
import { errorMessage, request } from '../data/request.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { toast } from '../ui/toast.tsx';

/** The message after the notification mode of a Hub or key with this name was set. */
export const MODE_SET: Record<NotificationMode, (name: string) => string> = {
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
    const settings = await request('PUT /me/notices/hubs/{hubId}', { hubId: id, body: { mode } });
    hubs.mute(id, mode === 'muted');
    toast(MODE_SET[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${errorMessage(error)}`, { isBad: true });
    return null;
  }
}
