import { type Item, LIMITS } from '@hub/contract';
import { auditRecord, type Caller, changeAs, isAdmin } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { AppError } from '../../platform/errors.ts';
import type { Page, PageRequest } from '../../platform/paging.ts';
import { DAY_MS } from '../../platform/time.ts';
import type { AuditRecord } from '../../storage/audit.ts';
import type { ItemRecord } from '../../storage/items.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { ANY_ITEM, findItem, type ItemSort, MESSAGE, requireAuthorOrAdmin } from './item-rights.ts';
import { itemView } from './item-view.ts';
import { appendItemEvent, storedItem } from './write-item.ts';

/** Deleted items, whether deleted one by one or by a removal, can be restored for this long. Then they are erased. */
const KEPT_MS = LIMITS.deletedKeptDays * DAY_MS;

/**
 * Deletes an item: its content is hidden immediately and erased a few weeks later. Members can delete notes and to-dos;
 * a message only its author and admins. Deleting once more keeps it out of the undoing of a removal.
 */
export function deleteItem(deps: Deps, caller: Caller, itemId: string, sort: ItemSort): Promise<ItemRecord> {
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findItem(tx, current, itemId, sort);
    if (sort === MESSAGE) requireAuthorOrAdmin(current, item);
    return markDeleted(tx, item, itemAudit(deps, current, item, 'item.deleted'));
  });
}

/** Deletes an item at the time of this audit entry, by its actor. The caller has already checked their rights. */
export async function markDeleted(tx: Repositories, item: ItemRecord, audit: AuditRecord): Promise<ItemRecord> {
  if (item.deletedAt !== null) {
    if (await tx.items.leaveRemoval(item.id)) await tx.audit.insert(audit);
    return item;
  }
  const { at, actor } = audit;
  const deletion = { deletedAt: at, deletedById: actor.id };
  await tx.items.update(item, deletion, at);
  await announceDeletion(tx, item, 'deleted', at);
  const parent = await related(tx, item.parentId);
  if (parent) await countReply(tx, parent, -1, at);
  const source = await related(tx, item.sourceId);
  if (source?.conversionId === item.id) await linkSource(tx, source, null, at);
  await tx.audit.insert(audit);
  return { ...item, ...deletion };
}

/** Restores a deleted item with all that belongs to it: for its author, the user who deleted it, and admins. */
export function restoreItem(deps: Deps, caller: Caller, itemId: string): Promise<ItemRecord> {
  return changeAs(deps, caller, async (tx, current) => {
    const item = await findItem(tx, current, itemId, ANY_ITEM);
    if (item.deletedAt === null) return item;
    if (!mayRestore(current, item)) {
      throw new AppError(
        'forbidden',
        'Only its author, the user who deleted it or a workspace admin can restore this.',
      );
    }
    const at = deps.clock.now();
    requireKept(item.deletedAt, at, 'This was deleted');
    const parent = await related(tx, item.parentId);
    if (isErased(item) || (item.parentId !== null && parent === null)) {
      throw new AppError('conflict', 'The content of this was permanently deleted, or the item to which it replied.');
    }
    await tx.items.update(item, { deletedAt: null, deletedById: null }, at);
    await tx.items.leaveRemoval(item.id);
    await announceDeletion(tx, item, 'restored', at);
    if (parent) await countReply(tx, parent, 1, at);
    const source = await related(tx, item.sourceId);
    // The message may have been converted again in the meantime.
    if (source?.conversionId === null) await linkSource(tx, source, item, at);
    await tx.audit.insert(itemAudit(deps, current, item, 'item.restored'));
    return storedItem(tx, item.id);
  });
}

/** Throws `conflict` if something that was deleted at this time has been erased. */
export function requireKept(deletedAt: number, at: number, what: string): void {
  if (at - deletedAt <= KEPT_MS) return;
  throw new AppError('conflict', `${what} more than ${LIMITS.deletedKeptDays} days ago, and cannot be restored.`);
}

/** Returns a page of the deleted items that the caller may restore, without those that undoing a removal restores. */
export async function listDeleted(
  { store, clock }: Deps,
  caller: Caller,
  { hubId, ...page }: PageRequest & { hubId: string },
): Promise<Page<Item>> {
  const hub = await readableHub(store, caller, hubId);
  const userId = isAdmin(caller) ? null : (caller.user?.id ?? '');
  const query = { ...page, hubId: hub.id, userId, since: clock.now() - KEPT_MS };
  const { items, next } = await store.items.listDeleted(query);
  const restorable = items.filter((item) => !isErased(item));
  return {
    items: restorable.map((item) => ({
      ...itemView({ ...item, deletedAt: null }),
      deletedAt: itemView(item).deletedAt,
    })),
    next,
  };
}

function mayRestore(caller: Caller, { authorId, deletedById }: ItemRecord): boolean {
  return isAdmin(caller) || [authorId, deletedById].includes(caller.user?.id ?? '');
}

/** The row of an erased item stays while it has replies. */
function isErased({ title, body, blocks, files }: ItemRecord): boolean {
  return title === null && body === null && blocks === null && files === null;
}

function itemAudit(
  deps: Deps,
  caller: Caller,
  { id, hubId, kind }: ItemRecord,
  action: 'item.deleted' | 'item.restored',
): AuditRecord {
  return auditRecord(deps, caller, { action, hubId, target: { id, name: null }, details: { kind } });
}

/** Writes the event of an item that was deleted or restored, by itself or by a removal. */
export async function announceDeletion(
  tx: Pick<Repositories, 'events'>,
  item: Pick<ItemRecord, 'id' | 'hubId' | 'kind'>,
  change: 'deleted' | 'restored',
  at: number,
): Promise<void> {
  await appendItemEvent(tx, item, { change, at, addedItems: change === 'deleted' ? -1 : 1 });
}

async function related(tx: Repositories, id: string | null): Promise<ItemRecord | null> {
  return id === null ? null : tx.items.find(id);
}

async function countReply(tx: Repositories, parent: ItemRecord, added: 1 | -1, at: number): Promise<void> {
  await tx.items.countReplies(parent.id, added);
  await appendItemEvent(tx, parent, { change: 'changed', at });
}

/** Links a message to the item to which it was converted; `null`: it can be converted again. */
async function linkSource(tx: Repositories, message: ItemRecord, item: ItemRecord | null, at: number): Promise<void> {
  const conversionKind = item?.kind === 'note' || item?.kind === 'todo' ? item.kind : null;
  await tx.items.update(message, { conversionId: item?.id ?? null, conversionKind }, at);
  await appendItemEvent(tx, message, { change: 'changed', at });
}
