import type { Hub, NotificationMode, NotificationSettings } from '@hub/contract';
import type { Hubs } from '../data/hubs/hubs.ts';
import { errorMessage, request } from '../data/request.ts';
import { toast } from './toast.tsx';

/** The message after the notification mode of a Hub or key with this name was set. */
const MODE_SET: Record<NotificationMode, (name: string) => string> = {
  usual: (name) => `You’ll be notified about mentions and replies in ${name}.`,
  every: (name) => `You’ll be notified about all posts in ${name}.`,
  muted: (name) => `${name} muted.`,
};

let last: Promise<unknown> = Promise.resolve();

/**
 * Sends a change to the notification settings after those before it: the last one wins, and the settings in its response
 * contain all of them.
 */
export function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const changed = last.then(change);
  last = changed.catch(() => {});
  return changed;
}

/** Sets the notification mode of a Hub and updates the sidebar. Returns null after showing an error. */
export function setHubMode(hubs: Hubs, { id, name }: Pick<Hub, 'id' | 'name'>, mode: NotificationMode) {
  return setMode(name, mode, async () => {
    const settings = await request('PUT /me/notifications/hubs/{hubId}', { hubId: id, body: { mode } });
    hubs.mute(id, mode === 'muted');
    return settings;
  });
}

/** Sets the notification mode of a key. Returns null after showing an error. */
export function setKeyMode({ id, name }: { id: string; name: string }, mode: NotificationMode) {
  return setMode(name, mode, () => request('PUT /me/notifications/keys/{keyId}', { keyId: id, body: { mode } }));
}

async function setMode(
  name: string,
  mode: NotificationMode,
  set: () => Promise<NotificationSettings>,
): Promise<NotificationSettings | null> {
  try {
    const settings = await inTurn(set);
    toast(MODE_SET[mode](name));
    return settings;
  } catch (error) {
    toast(`Not changed. ${errorMessage(error)}`, { isError: true });
    return null;
  }
}
