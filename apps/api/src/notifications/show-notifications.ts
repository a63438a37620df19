import type { NotificationSettings } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';

/** Returns the caller's notification settings. */
export async function showNotifications(
  { store, notifications, clock }: Pick<Deps, 'store' | 'notifications' | 'clock'>,
  { user, credential }: UserCaller,
): Promise<NotificationSettings> {
  const [choices, modes, subscription] = await Promise.all([
    store.notifications.choices(user.id),
    store.notifications.modes(user.id),
    store.notifications.findSubscription(credential.id),
  ]);
  const { publicKey } = notifications;
  return {
    ...choices,
    hubs: modes.filter(({ targetId, hubId }) => targetId === hubId).map(({ hubId, mode }) => ({ hubId, mode })),
    keys: modes.flatMap(({ targetId, hubId, key, mode }) =>
      key === null ? [] : { keyId: targetId, hubId, name: key.name, mode, isOver: !isValid(key, clock.now()) },
    ),
    push: publicKey === null ? null : { publicKey, isSubscribed: subscription !== null },
  };
}
