import type { Removal } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { findKey } from '../keys/find-key.ts';
import type { KeyListing } from '../storage/store.ts';
import { isoTimeOrNull } from '../time.ts';
import { removalView } from './removal-view.ts';

export interface RemovalRange {
  /** Milliseconds since 1970 UTC; `null` means unbounded. */
  fromAt: number | null;
  toAt: number | null;
}

/**
 * Deletes a key's posts in a time range. This can be undone until the posts are erased. The key itself does not
 * change: a leaked key must also be revoked or replaced. Threads stay, under a deleted message.
 */
export async function removePosts(
  deps: Deps,
  caller: Caller,
  keyId: string | null,
  range: RemovalRange,
): Promise<Removal> {
  const key = await requireRange(deps, keyId, range);
  const { clock, newId, store } = deps;
  const id = newId('rmv');
  const audit = auditRecord(deps, caller, {
    action: 'posts.removed',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
    details: { removalId: id, from: isoTimeOrNull(range.fromAt), to: isoTimeOrNull(range.toAt) },
  });
  const removal = { id, keyId: key.id, hubId: key.hubId, ...range, count: 0, removedAt: clock.now(), undoneAt: null };
  return removalView(await store.items.removePosts({ removal, audit }));
}

/** Returns how many posts a removal with this range would remove now. */
export async function previewRemoval(
  deps: Pick<Deps, 'store'>,
  keyId: string | null,
  range: RemovalRange,
): Promise<Removal> {
  const key = await requireRange(deps, keyId, range);
  const count = await deps.store.items.countPosts({ keyId: key.id, hubId: key.hubId, ...range });
  const { fromAt, toAt } = range;
  const none = { id: null, removedAt: null, undoneAt: null };
  return { ...none, keyId: key.id, from: isoTimeOrNull(fromAt), to: isoTimeOrNull(toAt), count };
}

async function requireRange(
  deps: Pick<Deps, 'store'>,
  keyId: string | null,
  { fromAt, toAt }: RemovalRange,
): Promise<KeyListing> {
  if (fromAt !== null && toAt !== null && fromAt >= toAt) {
    throw new AppError('invalid', 'from must be before to (posts at exactly to are kept)');
  }
  return findKey(deps.store, keyId);
}
