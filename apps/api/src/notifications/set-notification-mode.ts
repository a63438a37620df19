import type { NotificationMode, NotificationSettings } from '@hub/contract';
import type { Caller, UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { isReader, readableHub } from '../hubs/hub-rights.ts';
import { keyNotFound } from '../keys/key-rights.ts';
import type { Repositories } from '../storage/repositories.ts';
import { showNotifications } from './show-notifications.ts';

type SetModeDeps = Pick<Deps, 'store' | 'notifications' | 'live' | 'clock' | 'revocations'>;

/** Sets which posts in a Hub the caller is notified about. */
export function setHubMode(
  deps: SetModeDeps,
  sender: UserCaller,
  hubId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  return setMode(deps, sender, mode, async (tx, caller) => {
    const hub = await readableHub(tx, caller, hubId);
    return { targetId: hub.id, hubId: hub.id };
  });
}

/**
 * Sets whether posts from a key notify the caller. This does not require permission to manage keys, since every post
 * shows the name of its key anyway.
 */
export function setKeyMode(
  deps: SetModeDeps,
  sender: UserCaller,
  keyId: string | null,
  mode: NotificationMode,
): Promise<NotificationSettings> {
  return setMode(deps, sender, mode, async (tx, caller) => {
    const key = keyId === null ? null : await tx.keys.find(keyId);
    const hub = key && (await tx.hubs.find(key.hubId));
    if (!key || hub?.deletedAt !== null || !(await isReader(tx, caller, hub.id))) throw keyNotFound(keyId);
    return { targetId: key.id, hubId: key.hubId };
  });
}

/** `findTarget` returns the Hub or key, or throws if the caller may not read its posts. */
async function setMode(
  deps: SetModeDeps,
  sender: UserCaller,
  mode: NotificationMode,
  findTarget: (tx: Repositories, caller: Caller) => Promise<{ targetId: string; hubId: string }>,
): Promise<NotificationSettings> {
  const { id } = sender.user;
  await changeAs(deps, sender, async (tx, caller) => {
    const target = await findTarget(tx, caller);
    if (mode === 'usual') await tx.notifications.deleteMode(id, target.targetId);
    else await tx.notifications.setMode(id, { ...target, mode });
  });
  // The user's other pages show which Hubs are muted.
  deps.live.report(id, { type: 'hubs.changed' });
  return showNotifications(deps, sender);
}
