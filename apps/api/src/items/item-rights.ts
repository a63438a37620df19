import { type Caller, isAdmin } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { notFound } from '../printable.ts';
import type { ItemRecord, ItemRowKind } from '../store/item-store.ts';
import type { UserRecord } from '../store/users-store.ts';

/** What a route is about: the rows that it takes, and what one calls them. */
export interface ItemSort {
  noun: string;
  kinds: readonly ItemRowKind[];
}
export const ANY_ITEM: ItemSort = { noun: 'item', kinds: ['message', 'reply', 'note', 'todo'] };
export const MESSAGE: ItemSort = { noun: 'message', kinds: ['message', 'reply'] };
export const NOTE: ItemSort = { noun: 'note', kinds: ['note'] };
export const TO_DO: ItemSort = { noun: 'to-do', kinds: ['todo'] };

/**
 * The item, if it is of this sort and in a Hub that the caller may read, deleted or not. An outsider gets the same refusal as
 * for an id that does not exist.
 */
export async function knownItem(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  itemId: string | null,
  { noun, kinds }: ItemSort,
): Promise<ItemRecord> {
  const unknown = new AppError('not_found', notFound(noun, itemId));
  const item = itemId === null ? null : await deps.store.items.find(itemId);
  if (!item || !kinds.includes(item.kind)) throw unknown;
  await readableHub(deps, caller, item.hubId).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? unknown : error;
  });
  return item;
}

/** The same, of what can still be seen: a message that was deleted is there as long as it has replies, as a blank. */
export async function readableItem(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  itemId: string | null,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await knownItem(deps, caller, itemId, sort);
  if (item.deletedAt !== null && item.replyCount === 0) throw wasDeleted(sort.noun, item.id);
  return item;
}

/** The same, of what can still be worked with. */
export async function presentItem(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  itemId: string | null,
  sort: ItemSort,
): Promise<ItemRecord> {
  const item = await knownItem(deps, caller, itemId, sort);
  if (item.deletedAt !== null) throw wasDeleted(sort.noun, item.id);
  return item;
}

/** A message is its author's; notes and to-dos are the team's. */
export function requireAuthorOrAdmin(caller: Caller, item: ItemRecord): void {
  if (isAdmin(caller) || caller.user?.id === item.authorId) return;
  throw new AppError('forbidden', 'Only its author or an admin of the workspace may change or delete this message.');
}

/** Who writes. What is written stands under somebody's name, and the local admin has none. */
export function authorOf({ user }: Caller): UserRecord {
  if (user !== null) return user;
  throw new AppError(
    'forbidden',
    'What is written here stands under the name of a person, and the local admin is none: sign in with an account, or post with a key.',
  );
}

function wasDeleted(noun: string, id: string): AppError {
  return new AppError('not_found', `The ${noun} ${id} was deleted.`);
}
