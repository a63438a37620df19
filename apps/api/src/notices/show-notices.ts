import type { NoticeSettings } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import type { PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';

/** What the caller wants to be told of. */
export async function showNotices(
  { store, notices, clock }: Pick<Deps, 'store' | 'notices' | 'clock'>,
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
    keys: modes.flatMap(({ targetId, hubId, key, mode }) =>
      key === null ? [] : { keyId: targetId, hubId, name: key.name, mode, isOver: !isValid(key, clock.now()) },
    ),
    push: publicKey === null ? null : { publicKey, isSubscribed: subscription !== null },
  };
}
