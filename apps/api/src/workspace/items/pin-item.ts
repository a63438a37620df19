import { LIMITS, type Pin } from '@hub/contract';
import { type Caller, changeAs, type UserCaller } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Page } from '../../platform/paging.ts';
import { isoTime } from '../../platform/time.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { findHub, readableHub } from '../hubs/hub-rights.ts';
import { ANY_ITEM, findItem, findUndeletedItem } from './item-rights.ts';
import { itemView } from './item-view.ts';

/** Pins an item to its Hub, for all members. Pinning it again changes nothing. */
export function pinItem(deps: Deps, caller: UserCaller, itemId: string): Promise<ItemRecord> {
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findUndeletedItem(tx, current, itemId, ANY_ITEM);
    const pinned = await tx.pins.list(item.hubId);
    if (pinned.some((pin) => pin.itemId === item.id)) return item;
    if (pinned.length >= LIMITS.pinsPerHub) {
      throw new AppError(
        'conflict',
        `This Hub has ${LIMITS.pinsPerHub} pinned items, the maximum. Unpin one of them first.`,
      );
    }
    const { id, hubId } = item;
    const pinnedAt = deps.clock.now();
    await tx.pins.insert({ itemId: id, hubId, pinnedAt, pinnedById: current.user.id });
    await announcePins(tx, hubId, pinnedAt);
    return item;
  });
}

/** Unpins an item, by any member. An item that is not pinned stays as it is. */
export function unpinItem(deps: Deps, caller: UserCaller, itemId: string): Promise<ItemRecord> {
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findItem(tx, current, itemId, ANY_ITEM);
    if ((await tx.pins.delete(item.id)) > 0) await announcePins(tx, item.hubId, deps.clock.now());
    return item;
  });
}

/** Writes the event of a Hub whose pinned items have changed. */
async function announcePins(tx: Repositories, hubId: string, at: number): Promise<void> {
  const { name, topic, retentionDays } = await findHub(tx, hubId);
  const pinnedIds = (await tx.pins.list(hubId)).map(({ itemId }) => itemId);
  const data = { name, topic, retentionDays, pinnedIds };
  await tx.events.append({ hubId, at, event: 'hub.changed', itemId: null, data });
}

/** Returns the pinned items of a Hub, latest pin first. */
export async function listPins({ store }: Deps, caller: Caller, hubId: string): Promise<Page<Pin>> {
  const hub = await readableHub(store, caller, hubId);
  const pins: Pin[] = [];
  for (const { itemId, pinnedAt, pinnedBy } of await store.pins.list(hub.id)) {
    const item = await store.items.find(itemId);
    if (item && item.deletedAt === null) pins.push({ item: itemView(item), pinnedAt: isoTime(pinnedAt), pinnedBy });
  }
  return { items: pins, next: null };
}
