import { LIMITS, type Removal } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireAdmin } from '../context/user-rights.ts';
import { AppError } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { findKey } from '../keys/key-rights.ts';
import type { RemovalRecord } from '../storage/removal-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { removalView } from './list-removals.ts';
import { announce, ITEMS_AT_A_TIME } from './remove-posts.ts';

const KEPT_MS = LIMITS.deletedKeptDays * 24 * 60 * 60 * 1000;

/**
 * Restores the posts of a removal unless they have been erased. Items that a user deleted stay deleted, and items older
 * than the retention period of the Hub are gone. Runs in many small transactions, as a removal does; an undo that did
 * not finish can be repeated.
 */
export async function undoRemoval(
  deps: Deps,
  sender: Caller,
  path: { keyId: string | null; removalId: string | null },
): Promise<Removal> {
  const at = deps.clock.now();
  let state = await changeAs(deps, sender, async (tx, caller) => {
    requireAdmin(caller);
    const key = await findKey(tx, path.keyId);
    const removal = path.removalId === null ? null : await tx.removals.find(path.removalId);
    if (removal?.keyId !== key.id) throw new AppError('not_found', notFound('removal', path.removalId));
    requireRestorable(removal, at);
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'posts.restored',
        hubId: removal.hubId,
        targetId: key.id,
        targetName: key.name,
        details: { removalId: removal.id, count: removal.count },
      }),
    );
    return restorePart(tx, removal, at);
  });
  while (state.undoneAt === null) {
    const { id } = state;
    state = await deps.store.transaction(async (tx) => {
      const removal = (await tx.removals.find(id)) ?? state;
      requireRestorable(removal, at);
      return restorePart(tx, removal, at);
    });
  }
  return removalView(state);
}

function requireRestorable({ removedAt, undoneAt }: RemovalRecord, at: number): void {
  if (undoneAt !== null) throw new AppError('conflict', 'This removal was already undone.');
  if (at - removedAt <= KEPT_MS) return;
  throw new AppError(
    'conflict',
    `The posts were removed more than ${LIMITS.deletedKeptDays} days ago, and are permanently deleted.`,
  );
}

/** Restores some posts. The removal is considered undone once none are left. */
async function restorePart(tx: Repositories, removal: RemovalRecord, at: number): Promise<RemovalRecord> {
  const { id: removalId, hubId } = removal;
  const restored = await tx.removals.restorePosts({ removalId, at }, ITEMS_AT_A_TIME);
  await announce(tx, restored, { hubId, at, change: 'restored' });
  if (restored.length === ITEMS_AT_A_TIME) return removal;
  await tx.removals.update(removalId, { undoneAt: at });
  return { ...removal, undoneAt: at };
}
