import type { NotificationMode, NotificationSettings } from '@hub/contract';
import { stateOf, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import { keyNotFound } from '../keys/find-key.ts';
import { showNotifications } from './show-notifications.ts';

type SetModeDeps = Pick<Deps, 'store' | 'notifications' | 'live' | 'clock'>;

/** What gives a notice in a Hub of the caller. */
export async function setHubMode(
  deps: SetModeDeps,
  caller: UserCaller,
  hubId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  const hub = await readableHub(deps, caller, hubId);
  return setMode(deps, caller, { targetId: hub.id, hubId: hub.id, mode });
}

/** The same of a key. Whoever reads its Hub sees its name by every post, so that he need not manage it. */
export async function setKeyMode(
  deps: SetModeDeps,
  caller: UserCaller,
  keyId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  const key = keyId === null ? null : await deps.store.keys.find(keyId);
  const hub = key && (await deps.store.hubs.find(key.hubId));
  if (!key || hub?.deletedAt !== null || !(await isReader(deps, caller, hub.id))) throw keyNotFound(keyId);
  return setMode(deps, caller, { targetId: key.id, hubId: key.hubId, mode });
}

async function setMode(
  deps: SetModeDeps,
  caller: UserCaller,
  { targetId, hubId, mode }: { targetId: string; hubId: string; mode: NotificationMode },
): Promise<NotificationSettings> {
  const { id: personId } = caller.user;
  await deps.store.notifications.setMode({ personId, targetId, hubId, mode, by: stateOf(caller) });
  // His other pages show the Hubs as muted or not.
  deps.live.report(personId, { type: 'hubs.changed' });
  return showNotifications(deps, caller);
}
