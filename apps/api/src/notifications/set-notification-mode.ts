import type { NotificationMode, NotificationSettings } from '@hub/contract';
import { actingUserOf, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import { keyNotFound } from '../keys/find-key.ts';
import { showNotifications } from './show-notifications.ts';

type SetModeDeps = Pick<Deps, 'store' | 'notifications' | 'live' | 'clock'>;

/** Sets which posts in a Hub the caller is notified about. */
export async function setHubMode(
  deps: SetModeDeps,
  caller: UserCaller,
  hubId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  const hub = await readableHub(deps.store, caller, hubId);
  return setMode(deps, caller, { targetId: hub.id, hubId: hub.id, mode });
}

/**
 * Sets whether posts from a key notify the caller. This does not require permission to manage keys, since every post
 * shows the name of its key anyway.
 */
export async function setKeyMode(
  deps: SetModeDeps,
  caller: UserCaller,
  keyId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  const key = keyId === null ? null : await deps.store.keys.find(keyId);
  const hub = key && (await deps.store.hubs.find(key.hubId));
  if (!key || hub?.deletedAt !== null || !(await isReader(deps.store, caller, hub.id))) throw keyNotFound(keyId);
  return setMode(deps, caller, { targetId: key.id, hubId: key.hubId, mode });
}

async function setMode(
  deps: SetModeDeps,
  caller: UserCaller,
  { targetId, hubId, mode }: { targetId: string; hubId: string; mode: NotificationMode },
): Promise<NotificationSettings> {
  const { id: personId } = caller.user;
  await deps.store.notifications.setMode({ personId, targetId, hubId, mode, actingUser: actingUserOf(caller) });
  // The user's other pages show which Hubs are muted.
  deps.live.report(personId, { type: 'hubs.changed' });
  return showNotifications(deps, caller);
}
