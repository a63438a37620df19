import type { Removal } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { findKey } from '../keys/key-rights.ts';
import type { KeyListing } from '../storage/key-store.ts';
import type { RemovalRecord, RemovedItem } from '../storage/removal-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { removalView } from './list-removals.ts';

/** Items that one transaction removes or restores: about 6 ms, during which posts wait. */
export const ITEMS_AT_A_TIME = 250;

export interface RemovalRange {
  /** Milliseconds since 1970 UTC; `null` means unbounded. */
  fromAt: number | null;
  toAt: number | null;
}

/**
 * Deletes the posts in a time range that a key has made until now. This can be undone until the posts are erased. The
 * key itself does not change: a leaked key must also be revoked or replaced. Threads stay, under a deleted message.
 *
 * Runs in many small transactions, so that posting continues in the meantime. At any time, each item is in either its
 * old or its new state, with its event. If the server stops partway through, the recorded progress of the removal is
 * kept and it can be undone. `count` is the number of posts removed: those that a user deleted in the meantime are not
 * included.
 */
export async function removePosts(
  deps: Deps,
  sender: Caller,
  keyId: string | null,
  range: RemovalRange,
): Promise<Removal> {
  const { clock, newId, store } = deps;
  const key = await requireRange(deps, keyId, range);
  const ranks = await store.removals.postRanks({ keyId: key.id, hubId: key.hubId, ...range });
  const id = newId('rmv');
  const parts = Array.from({ length: Math.max(1, Math.ceil(ranks.length / ITEMS_AT_A_TIME)) }, (_, part) =>
    ranks.slice(part * ITEMS_AT_A_TIME, (part + 1) * ITEMS_AT_A_TIME),
  );
  const [first = [], ...others] = parts;
  let state = await changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const removedAt = clock.now();
    const removal = { id, keyId: key.id, hubId: key.hubId, ...range, count: 0, removedAt, undoneAt: null };
    await tx.removals.insert(removal);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'posts.removed',
        hubId: key.hubId,
        targetId: key.id,
        targetName: key.name,
        details: {
          removalId: id,
          from: isoTimeOrNull(range.fromAt),
          to: isoTimeOrNull(range.toAt),
          count: ranks.length,
        },
      }),
    );
    return removePart(tx, removal, first);
  });
  for (const part of others) {
    if (state.undoneAt !== null) break;
    state = await store.transaction(async (tx) => removePart(tx, (await tx.removals.find(id)) ?? state, part));
  }
  return removalView(state);
}

/** Removes these posts, unless the removal was already undone. */
async function removePart(tx: Repositories, removal: RemovalRecord, ranks: readonly number[]): Promise<RemovalRecord> {
  if (removal.undoneAt !== null) return removal;
  const { id: removalId, keyId, hubId, removedAt: at } = removal;
  const removed = await tx.removals.deletePosts({ removalId, keyId, at }, ranks);
  await announce(tx, removed, { hubId, at, change: 'deleted' });
  const count = removal.count + removed.length;
  await tx.removals.update(removalId, { count });
  return { ...removal, count };
}

/** Writes an event for each of these items. */
export async function announce(
  tx: Repositories,
  items: readonly RemovedItem[],
  { hubId, at, change }: { hubId: string; at: number; change: 'deleted' | 'restored' },
): Promise<void> {
  const addedItems = change === 'deleted' ? -1 : 1;
  for (const { id, kind } of items) {
    await tx.events.append({ hubId, at, event: `${kind}.${change}`, itemId: id, addedItems });
  }
}

/** Returns how many posts a removal with this range would remove now. */
export async function previewRemoval(
  deps: Pick<Deps, 'store'>,
  keyId: string | null,
  range: RemovalRange,
): Promise<Removal> {
  const key = await requireRange(deps, keyId, range);
  const { length: count } = await deps.store.removals.postRanks({ keyId: key.id, hubId: key.hubId, ...range });
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
