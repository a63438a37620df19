import type { Removal } from '@hub/contract';
import type { RemovalRecord } from '../storage/removal-store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

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
