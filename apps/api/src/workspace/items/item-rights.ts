import { type Caller, isAdmin } from '../../access/caller.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { ItemRecord, ItemRowKind } from '../../storage/items.ts';
import type { Reads } from '../../storage/repositories.ts';
import type { UserRecord } from '../../storage/users.ts';
import { type RightsReads, readableHub } from '../hubs/hub-rights.ts';

interface ItemRightsReads extends RightsReads {
  items: Pick<Reads['items'], 'find'>;
}

/** The kinds of rows that a route accepts, and what error messages call them. */
export interface ItemSort {
  noun: string;
  kinds: readonly ItemRowKind[];
}
export const ANY_ITEM: ItemSort = { noun: 'item', kinds: ['message', 'reply', 'note', 'todo'] };
export const MESSAGE: ItemSort = { noun: 'message', kinds: ['message', 'reply'] };
export const NOTE: ItemSort = { noun: 'note', kinds: ['note'] };
export const TO_DO: ItemSort = { noun: 'to-do', kinds: ['todo'] };

/** Returns the item, deleted or not, if it is of these kinds in a readable Hub. Otherwise throws as if unknown. */
export async function findItem(
  reads: ItemRightsReads,
  caller: Caller,
  itemId: string,
  { noun, kinds }: ItemSort,
): Promise<ItemRecord> {
  const unknown = notFound(noun, itemId);
  const item = await reads.items.find(itemId);
  if (!item || !kinds.includes(item.kind)) throw unknown;
  await readableHub(reads, caller, item.hubId, unknown);
  return item;
}

/** Returns the item if it is visible. A deleted item stays visible, without content, while it has replies. */
export async function readableItem(
  reads: ItemRightsReads,
  caller: Caller,
  itemId: string,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await findItem(reads, caller, itemId, sort);
  if (item.deletedAt !== null && item.replyCount === 0) throw wasDeleted(sort.noun, item.id);
  return item;
}

/** Returns the item that a thread belongs to; throws `invalid` for a reply. */
export async function threadOf(reads: ItemRightsReads, caller: Caller, itemId: string): Promise<ItemRecord> {
  const parent = await readableItem(reads, caller, itemId, ANY_ITEM);
  if (parent.kind !== 'reply') return parent;
  throw new AppError(
    'invalid',
    `${parent.id} is a reply and has no replies of its own. Use ${parent.parentId} instead.`,
  );
}

/** Returns the item if it is not deleted. */
export async function findUndeletedItem(
  reads: ItemRightsReads,
  caller: Caller,
  itemId: string,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await findItem(reads, caller, itemId, sort);
  if (item.deletedAt !== null) throw wasDeleted(sort.noun, item.id);
  return item;
}

/** Throws `forbidden` unless the caller wrote this message. Nobody edits a post by a key, which the bot wrote. */
export function requireAuthor({ user }: Caller, item: ItemRecord): void {
  if (user?.id === item.authorId) return;
  throw new AppError('forbidden', 'Only its author can edit this message. An admin can delete it.');
}

/** Throws `forbidden` unless the caller is the author of this message or an admin. */
export function requireAuthorOrAdmin(caller: Caller, item: ItemRecord): void {
  if (isAdmin(caller) || caller.user?.id === item.authorId) return;
  throw new AppError('forbidden', 'Only its author or a workspace admin can delete this message.');
}

/** Returns the caller's user account, as the author. Throws `forbidden` for the local admin, who has none. */
export function authorOf({ user }: Caller): UserRecord {
  if (user !== null) return user;
  throw new AppError(
    'forbidden',
    'This requires a user account; the local admin has none. Sign in with an account, or post with an API key.',
  );
}

function wasDeleted(noun: string, id: string): AppError {
  return new AppError('not_found', `The ${noun} ${id} was deleted.`);
}
