import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { AuditRecord } from '../storage/audit-store.ts';
import type { ItemRecord } from '../storage/item-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { findItem, type ItemSort, MESSAGE, requireAuthorOrAdmin } from './item-rights.ts';
import { appendItemEvent } from './store-item.ts';

/**
 * Deletes an item: its content is hidden immediately and permanently erased a few weeks later. Every member can delete
 * notes and to-dos; a message can only be deleted by its author and admins. Deleting a deleted item changes nothing,
 * except that undoing a removal no longer restores it.
 */
export function deleteItem(deps: Deps, sender: Caller, itemId: string | null, sort: ItemSort): Promise<ItemRecord> {
  return changeAs(deps, sender, async (tx, caller) => {
    const item = await findItem(tx, caller, itemId, sort);
    if (sort === MESSAGE) requireAuthorOrAdmin(caller, item);
    const audit = auditRecord(deps, caller, {
      action: 'item.deleted',
      hubId: item.hubId,
      targetId: item.id,
      targetName: null,
      details: { kind: item.kind },
    });
    return markDeleted(tx, item, audit);
  });
}

/** Deletes an item at the time of this audit entry. The caller has already checked their rights. */
export async function markDeleted(tx: Repositories, item: ItemRecord, audit: AuditRecord): Promise<ItemRecord> {
  if (item.deletedAt !== null) {
    if (await tx.items.leaveRemoval(item.id)) await tx.audit.insert(audit);
    return item;
  }
  const { at } = audit;
  await tx.items.update(item, { deletedAt: at }, at);
  await appendItemEvent(tx, item, { change: 'deleted', at, addedItems: -1 });
  await countDeletedReply(tx, item, at);
  await unlinkSource(tx, item, at);
  await tx.audit.insert(audit);
  return { ...item, deletedAt: at };
}

async function countDeletedReply(tx: Repositories, { parentId }: ItemRecord, at: number): Promise<void> {
  const parent = parentId === null ? null : await tx.items.find(parentId);
  if (!parent) return;
  await tx.items.countReplies(parent.id, -1);
  await appendItemEvent(tx, parent, { change: 'changed', at });
}

/** Removes the link of the message from which this item was converted, so that it can be converted again. */
async function unlinkSource(tx: Repositories, { id, sourceId }: ItemRecord, at: number): Promise<void> {
  const message = sourceId === null ? null : await tx.items.find(sourceId);
  if (message?.conversionId !== id) return;
  await tx.items.update(message, { conversionId: null, conversionKind: null }, at);
  await appendItemEvent(tx, message, { change: 'changed', at });
}
