import type { Removal } from '@hub/contract';
import { type Caller, changeAs, recordAction, senderOf } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireAdmin } from '../../access/user-rights.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { type Page, type PageRequest, readPage } from '../../platform/paging.ts';
import { isoTime, isoTimeOrNull } from '../../platform/time.ts';
import type { KeyListing } from '../../storage/keys.ts';
import type { PostRange, RemovalRecord } from '../../storage/removals.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { announceDeletion, requireKept } from '../items/deletions.ts';
import { findKey } from '../keys/show-keys.ts';

/** Items that one transaction removes or restores: about 6 ms, during which posts wait. */
const ITEMS_AT_A_TIME = 250;

type RemovalRange = Omit<PostRange, 'keyId' | 'hubId'>;

/**
 * Deletes the posts that a key has made in a time range. This can be undone until they are erased. A leaked key must
 * also be revoked or replaced. Threads stay, under a deleted message. Posts go on meanwhile, since it runs in many
 * small transactions, whose progress is recorded. `count` leaves out what users deleted meanwhile.
 */
export async function removePosts(
  deps: Deps,
  caller: Caller,
  keyId: string,
  { exceptIds, ...range }: RemovalRange,
): Promise<Removal> {
  const { clock, newId, store } = deps;
  const key = await requireRange(deps, keyId, range);
  const globalSeqs = await store.removals.postGlobalSeqs({ keyId: key.id, hubId: key.hubId, ...range, exceptIds });
  const id = newId('rmv');
  const parts = Array.from({ length: Math.max(1, Math.ceil(globalSeqs.length / ITEMS_AT_A_TIME)) }, (_, part) =>
    globalSeqs.slice(part * ITEMS_AT_A_TIME, (part + 1) * ITEMS_AT_A_TIME),
  );
  const [first = [], ...others] = parts;
  let state = await changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    const removedAt = clock.now();
    const removal = { id, keyId: key.id, hubId: key.hubId, ...range, count: 0, removedAt, undoneAt: null };
    await tx.removals.insert(removal);
    await recordAction(tx, deps, current, {
      action: 'posts.removed',
      hubId: key.hubId,
      target: key,
      details: {
        removalId: id,
        from: isoTimeOrNull(range.fromAt),
        to: isoTimeOrNull(range.toAt),
        count: globalSeqs.length,
      },
    });
    return removePart(tx, removal, first);
  });
  for (const part of others) {
    if (state.undoneAt !== null) break;
    state = await store.transaction(async (tx) => {
      await lockHub(tx, key.hubId);
      return removePart(tx, (await tx.removals.find(id)) ?? state, part);
    }, senderOf(caller));
  }
  return removalView(state);
}

/** Removes these posts, unless the removal was already undone. */
async function removePart(
  tx: Repositories,
  removal: RemovalRecord,
  globalSeqs: readonly number[],
): Promise<RemovalRecord> {
  if (removal.undoneAt !== null) return removal;
  const { id: removalId, keyId, hubId, removedAt: at } = removal;
  await lockHub(tx, hubId);
  const removed = await tx.removals.deletePosts({ removalId, keyId, at }, globalSeqs);
  for (const item of removed) await announceDeletion(tx, { ...item, hubId }, 'deleted', at);
  const count = removal.count + removed.length;
  await tx.removals.update(removalId, { count });
  return { ...removal, count };
}

/** Locks the Hub before its items, as every other change does: what a transaction finds is locked until its end. */
async function lockHub(tx: Repositories, hubId: string): Promise<void> {
  await tx.hubs.find(hubId);
}

/** Returns how many posts a removal with this range would remove now. */
export async function previewRemoval(deps: Deps, keyId: string, range: RemovalRange): Promise<Removal> {
  const key = await requireRange(deps, keyId, range);
  const { length: count } = await deps.store.removals.postGlobalSeqs({ keyId: key.id, hubId: key.hubId, ...range });
  const { fromAt, toAt } = range;
  const none = { id: null, removedAt: null, undoneAt: null };
  return { ...none, keyId: key.id, from: isoTimeOrNull(fromAt), to: isoTimeOrNull(toAt), count };
}

async function requireRange(deps: Deps, keyId: string, { fromAt, toAt }: RemovalRange): Promise<KeyListing> {
  if (fromAt !== null && toAt !== null && fromAt >= toAt) {
    throw new AppError('invalid', 'from must be before to (posts at exactly to are kept)');
  }
  return findKey(deps.store, keyId);
}

/** Restores the posts of a removal, unless erased or deleted by a user. It can be repeated if it did not finish. */
export async function undoRemoval(
  deps: Deps,
  caller: Caller,
  path: { keyId: string; removalId: string },
): Promise<Removal> {
  const at = deps.clock.now();
  let state = await changeAs(deps, caller, async (tx, current) => {
    requireAdmin(current);
    const key = await findKey(tx, path.keyId);
    const removal = await tx.removals.find(path.removalId);
    if (removal?.keyId !== key.id) throw notFound('removal', path.removalId);
    requireRestorable(removal, at);
    await recordAction(tx, deps, current, {
      action: 'posts.restored',
      hubId: removal.hubId,
      target: key,
      details: { removalId: removal.id, count: removal.count },
    });
    return restorePart(tx, removal, at);
  });
  while (state.undoneAt === null) {
    const { id } = state;
    state = await deps.store.transaction(async (tx) => {
      await lockHub(tx, state.hubId);
      const removal = (await tx.removals.find(id)) ?? state;
      requireRestorable(removal, at);
      return restorePart(tx, removal, at);
    }, senderOf(caller));
  }
  return removalView(state);
}

function requireRestorable({ removedAt, undoneAt }: RemovalRecord, at: number): void {
  if (undoneAt !== null) throw new AppError('conflict', 'This removal was already undone.');
  requireKept(removedAt, at, 'The posts were removed');
}

/** Restores some posts. The removal is considered undone once none are left. */
async function restorePart(tx: Repositories, removal: RemovalRecord, at: number): Promise<RemovalRecord> {
  const { id: removalId, hubId } = removal;
  await lockHub(tx, hubId);
  const restored = await tx.removals.restorePosts({ removalId, at }, ITEMS_AT_A_TIME);
  for (const item of restored) await announceDeletion(tx, { ...item, hubId }, 'restored', at);
  if (restored.length === ITEMS_AT_A_TIME) return removal;
  await tx.removals.update(removalId, { undoneAt: at });
  return { ...removal, undoneAt: at };
}

/** Lists the removals of a key's posts, newest first, including those that were undone. */
export async function listRemovals({ store }: Deps, keyId: string, page: PageRequest): Promise<Page<Removal>> {
  const key = await findKey(store, keyId);
  return readPage(page, (rows) => store.removals.list({ ...rows, keyId: key.id }), removalView);
}

function removalView({ id, keyId, fromAt, toAt, count, removedAt, undoneAt }: RemovalRecord) {
  const range = { from: isoTimeOrNull(fromAt), to: isoTimeOrNull(toAt) };
  return { id, keyId, ...range, count, removedAt: isoTime(removedAt), undoneAt: isoTimeOrNull(undoneAt) };
}
