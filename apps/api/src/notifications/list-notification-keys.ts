import type { NotificationKey } from '@hub/contract';
import type { UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { canPost } from '../keys/can-post.ts';
import { findKeys } from '../keys/find-keys.ts';
import { isKeyManager } from '../keys/key-rights.ts';
import { type Page, pageOf } from '../paging.ts';
import type { KeyListing, PageRequest } from '../store/store.ts';

/**
 * The keys that post into Hubs of the caller, newest first. Who does not manage keys learns of those alone that have posted
 * there, and no more than those posts tell him. Of a rotation the new one is meant: the other is over within a day.
 */
export async function listNotificationKeys(
  deps: Pick<Deps, 'store' | 'clock'>,
  caller: UserCaller,
  { limit, before }: PageRequest,
): Promise<Page<NotificationKey>> {
  const isManager = await isKeyManager(deps, caller);
  const matches = (key: KeyListing) =>
    key.successorId === null && canPost(deps, key) && (isManager || key.postCount > 0);
  const { found, lookedAtUpTo } = await findKeys(deps, { limit, before, memberId: caller.user.id, matches });
  const { items, next } = pageOf(found, limit);
  return { items: items.map(({ id, hubId, name }) => ({ id, hubId, name })), next: next ?? lookedAtUpTo };
}
