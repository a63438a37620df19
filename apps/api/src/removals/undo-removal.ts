import { LIMITS, type Removal } from '@hub/contract';
import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { findKey } from '../keys/find-key.ts';
import { notFound } from '../printable.ts';
import { removalView } from './removal-view.ts';

const KEPT_MS = LIMITS.deletedKeptDays * 24 * 60 * 60 * 1000;

/**
 * Restores the posts of a removal unless they have been erased. Items that a user deleted stay deleted, and items older
 * than the retention period of the Hub are gone.
 */
export async function undoRemoval(
  deps: Deps,
  caller: Caller,
  path: { keyId: string | null; removalId: string | null },
): Promise<Removal> {
  const { clock, store } = deps;
  const key = await findKey(deps.store, path.keyId);
  const removal = path.removalId === null ? null : await store.items.findRemoval(path.removalId);
  if (removal?.keyId !== key.id) throw new AppError('not_found', notFound('removal', path.removalId));
  const at = clock.now();
  if (removal.undoneAt === null && at - removal.removedAt > KEPT_MS) {
    throw new AppError(
      'conflict',
      `The posts were removed more than ${LIMITS.deletedKeptDays} days ago, and are permanently deleted.`,
    );
  }
  const audit = auditRecord(deps, caller, {
    action: 'posts.restored',
    hubId: removal.hubId,
    targetId: key.id,
    targetName: key.name,
    details: { removalId: removal.id, count: removal.count },
  });
  const undone = await store.items.undoRemoval({ removalId: removal.id, at, audit });
  if (!undone) throw new AppError('conflict', 'This removal was already undone.');
  return removalView(undone);
}
