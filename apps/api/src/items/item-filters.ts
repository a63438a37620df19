import type { TodoStatus } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import type { ItemPage, ItemQuery } from '../storage/item-store.ts';

/** Filters as given in a query. */
export interface ItemFilters {
  status?: TodoStatus | undefined;
  /** An id, `me`, or `none`. */
  assigneeId?: string | undefined;
  keyId?: string | undefined;
  /** An id, or `me`. */
  authorId?: string | undefined;
}

/** Resolves the filters of a list for this caller. */
export function itemFilters(
  caller: Caller,
  { status, assigneeId, keyId, authorId }: ItemFilters,
): Pick<ItemQuery, 'status' | 'assigneeId' | 'keyId' | 'authorId'> {
  return {
    status,
    keyId,
    authorId: authorId === 'me' ? own(caller, 'authorId') : authorId,
    assigneeId: assigneeId === 'none' ? null : assigneeId === 'me' ? own(caller, 'assigneeId') : assigneeId,
  };
}

/** Finds items. The to-dos of one assignee are few and have their own index. */
export function findItems({ store }: Pick<Deps, 'store'>, query: ItemQuery): Promise<ItemPage> {
  const { assigneeId } = query;
  return typeof assigneeId === 'string' ? store.items.listAssigned({ ...query, assigneeId }) : store.items.list(query);
}

function own({ user }: Caller, name: string): string {
  if (user !== null) return user.id;
  throw new AppError('invalid', `${name} cannot be me: the local admin has no user account. Use the id of a user.`);
}
