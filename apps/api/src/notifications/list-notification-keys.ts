import type { NotificationKey } from '@hub/contract';
import type { UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { isKeyManager } from '../keys/key-rights.ts';
import { canPost } from '../keys/key-view.ts';
import { findKeys } from '../keys/list-keys.ts';
import type { KeyListing } from '../storage/key-store.ts';

/**
 * Returns a page of the keys that post to the caller's Hubs, newest first. Callers who may not manage keys see only
 * keys that have posted, and no more about them than the posts show. For a rotated key, only the successor is listed:
 * the old key expires within a day.
 */
export async function listNotificationKeys(
  deps: Pick<Deps, 'store' | 'clock'>,
  caller: UserCaller,
  { limit, before }: PageRequest,
): Promise<Page<NotificationKey>> {
  const isManager = await isKeyManager(deps.store, caller);
  const matches = (key: KeyListing) =>
    key.successorId === null && canPost(deps, key) && (isManager || key.postCount > 0);
  const { found, examinedUpTo } = await findKeys(deps, { limit, before, memberId: caller.user.id, matches });
  const { items, next } = pageOf(found, limit);
  return { items: items.map(({ id, hubId, name }) => ({ id, hubId, name })), next: next ?? examinedUpTo };
}
