import type { ItemOrigin } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { ANY_ITEM, readableItem } from './item-rights.ts';

/** Returns the key, address and request id of a post. */
export async function showOrigin(deps: Deps, caller: Caller, itemId: string | null): Promise<ItemOrigin> {
  const item = await readableItem(deps.store, caller, itemId, ANY_ITEM);
  const origin = await deps.store.items.findOrigin(item.id);
  if (!origin) throw new AppError('not_found', `${item.id} was written by a member, not posted with a key.`);
  return { itemId: item.id, ...origin };
}
