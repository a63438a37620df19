import type { Removal } from '@hub/contract';
import type { Deps } from '../context/deps.ts';
import { type Page, type PageRequest, pageOf } from '../core/paging.ts';
import { isoTime, isoTimeOrNull } from '../core/time.ts';
import { findKey } from '../keys/key-rights.ts';
import type { RemovalRecord } from '../storage/removal-store.ts';

/** Lists the removals of a key's posts, newest first, including those that were undone. */
export async function listRemovals(
  { store }: Pick<Deps, 'store'>,
  keyId: string | null,
  { limit, before }: PageRequest,
): Promise<Page<Removal>> {
  const key = await findKey(store, keyId);
  const found = await store.removals.list({ keyId: key.id, limit: limit + 1, before });
  const { items, next } = pageOf(found, limit);
  return { items: items.map(removalView), next };
}

/** Returns a removal as the API represents it. */
export function removalView({ id, keyId, fromAt, toAt, count, removedAt, undoneAt }: RemovalRecord): Removal {
  return {
    id,
    keyId,
    from: isoTimeOrNull(fromAt),
    to: isoTimeOrNull(toAt),
    count,
    removedAt: isoTime(removedAt),
    undoneAt: isoTimeOrNull(undoneAt),
  };
}
