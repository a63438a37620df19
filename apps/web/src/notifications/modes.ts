import type { Hub, NotificationMode, NotificationSettings } from '@hub/contract';
import { errorMessage, path, request } from '../api/request.ts';
import type { Hubs } from '../hubs/hubs.ts';
import { toast } from '../ui/toast.tsx';

const DONE: Record<NotificationMode, (name: string) => string> = {
  usual: (name) => `You hear of what concerns you in ${name}.`,
  every: (name) => `You hear of every post in ${name}.`,
  muted: (name) => `${name} is muted.`,
};

/** What one hears of a Hub; the list of Hubs shows it at once.. `null`: it failed, and was said. */
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

/** The same of a key. */
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
