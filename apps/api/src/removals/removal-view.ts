import type { Removal } from '@hub/contract';
import type { RemovalRecord } from '../store/removal-store.ts';
import { isoTime, isoTimeOrNull } from '../time.ts';

/** A removal as it leaves the server. */
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
