import { auditRecord, type Caller, stateOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { ItemRecord } from '../store/item-store.ts';
import { type ItemSort, knownItem, MESSAGE, requireAuthorOrAdmin } from './item-rights.ts';

/**
 * Hides at once what the item says; some weeks later it is erased for good. Notes and to-dos are the team's, messages their
 * author's and the admins'. Deleting what was deleted changes nothing.
 */
export async function deleteItem(
  deps: Deps,
  caller: Caller,
  itemId: string | null,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await knownItem(deps, caller, itemId, sort);
  if (sort === MESSAGE) requireAuthorOrAdmin(caller, item);
  const audit = auditRecord(deps, caller, {
    action: 'item.deleted',
    hubId: item.hubId,
    targetId: item.id,
    targetName: null,
    details: { kind: item.kind },
  });
  return deps.store.items.delete({ itemId: item.id, at: audit.at, audit, by: stateOf(caller) });
}
