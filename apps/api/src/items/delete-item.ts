import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import { findItem, type ItemSort, MESSAGE, requireAuthorOrAdmin } from './item-rights.ts';

/**
 * Deletes an item: its content is hidden immediately and permanently erased a few weeks later. Every member can delete
 * notes and to-dos; a message can only be deleted by its author and admins. Deleting a deleted item changes nothing.
 */
export async function deleteItem(
  deps: Deps,
  caller: Caller,
  itemId: string | null,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await findItem(deps, caller, itemId, sort);
  if (sort === MESSAGE) requireAuthorOrAdmin(caller, item);
  const audit = auditRecord(deps, caller, {
    action: 'item.deleted',
    hubId: item.hubId,
    targetId: item.id,
    targetName: null,
    details: { kind: item.kind },
  });
  return deps.store.items.delete({ itemId: item.id, at: audit.at, audit, actingUser: actingUserOf(caller) });
}
