import type { Hub, NotificationMode, NotificationSettings } from '@hub/contract';
import { signal } from '@preact/signals';
import type { Hubs } from '../data/hubs/hubs.ts';
import { request } from '../data/request.ts';
import { orToast, toast } from './toast.tsx';

/** The message after the notification mode of a Hub or key with this name was set. */
const MODE_SET: Record<NotificationMode, (name: string) => string> = {
  usual: (name) => `You’ll be notified about mentions and replies in ${name}.`,
  every: (name) => `You’ll be notified about all posts in ${name}.`,
  muted: (name) => `${name} muted.`,
};

/** The user's settings as loaded last; `null` until they are. */
const settings = signal<NotificationSettings | null>(null);

/** Loads which keys are muted, for `keyModeOf`. */
export function loadKeyModes(): void {
  request('GET /me/notifications').then(
    (loaded) => {
      settings.value = loaded;
    },
    () => {},
  );
}

/** Returns the notification mode of a key; `usual` until the settings are loaded. */
export function keyModeOf(id: string): NotificationMode {
  return settings.value?.keys.find(({ keyId }) => keyId === id)?.mode ?? 'usual';
}

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
    hubs.change(id, { isMuted: mode === 'muted' });
    return settings;
  });
}

/** Sets the notification mode of a key. Returns null after showing an error. */
export async function setKeyMode(
  key: { id: string; name: string },
  mode: NotificationMode,
): Promise<NotificationSettings | null> {
  const { id: keyId, name } = key;
  const before = keyModeOf(keyId);
  const undo = mode === 'muted' && before !== 'muted' ? () => void setKeyMode(key, before) : null;
  const send = () => request('PUT /me/notifications/keys/{keyId}', { keyId, body: { mode } });
  const changed = await setMode(name, mode, send, undo);
  if (changed) settings.value = changed;
  return changed;
}

async function setMode(
  name: string,
  mode: NotificationMode,
  set: () => Promise<NotificationSettings>,
  undo: (() => void) | null = null,
): Promise<NotificationSettings | null> {
  const changed = await orToast('Not changed.', () => inTurn(set));
  if (changed) toast(MODE_SET[mode](name), undo ? { action: { label: 'Undo', run: undo } } : {});
  return changed ?? null;
}
