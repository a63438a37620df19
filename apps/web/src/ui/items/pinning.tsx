import type { Item } from '@hub/contract';
import { Pin, PinOff } from 'icons';
import type { Hubs } from '../../data/hubs/hubs.ts';
import { request } from '../../data/request.ts';
import type { MenuItem } from '../menu.tsx';
import { orToast, toast } from '../toast.tsx';

/** Returns the action that pins an item to its Hub, or unpins it. The event of the Hub shows the change. */
export function pinAction(hubs: Hubs, item: Pick<Item, 'id' | 'hubId'>): MenuItem {
  const isPinned = hubs.find(item.hubId)?.pinnedIds?.includes(item.id) === true;
  return {
    label: isPinned ? 'Unpin' : 'Pin to this Hub',
    icon: isPinned ? <PinOff /> : <Pin />,
    run: () => void setPinned(item, !isPinned),
  };
}

async function setPinned(item: Pick<Item, 'id'>, isPinned: boolean): Promise<void> {
  const operation = isPinned ? 'PUT /items/{itemId}/pin' : 'DELETE /items/{itemId}/pin';
  await orToast(isPinned ? 'Not pinned.' : 'Not unpinned.', async () => {
    await request(operation, { itemId: item.id });
    const undo = { label: 'Undo', run: () => void setPinned(item, !isPinned) };
    toast(isPinned ? 'Pinned for all members.' : 'Unpinned.', { action: undo });
  });
}
