import type { NoticeSettings } from '@hub/contract';
import type { PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';

/** What the caller wants to be told of. */
export async function showNotices(
  { store, notices }: Pick<Deps, 'store' | 'notices'>,
  { person, credential }: PersonCaller,
): Promise<NoticeSettings> {
  const [choices, modes, subscription] = await Promise.all([
    store.notices.choices(person.id),
    store.notices.modes(person.id),
    store.notices.findSubscription(credential.id),
  ]);
  const { publicKey } = notices;
  return {
    ...choices,
    hubs: modes.filter(({ targetId, hubId }) => targetId === hubId).map(({ hubId, mode }) => ({ hubId, mode })),
    keys: modes
      .filter(({ targetId, hubId }) => targetId !== hubId)
      .map(({ targetId, hubId, keyName, mode }) => ({ keyId: targetId, hubId, name: keyName ?? '', mode })),
    push: publicKey === null ? null : { publicKey, isSubscribed: subscription !== null },
  };
}
