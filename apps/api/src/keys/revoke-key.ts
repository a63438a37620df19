import type { ApiKey } from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord, type Caller, standingOf } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { KeyListing } from '../store/store.ts';
import { keyNotFound } from './find-key.ts';
import { manageableKey } from './key-rights.ts';
import { keyView } from './key-view.ts';

/**
 * Ends a key at once: the gate reads the key from the store at every request, so none that begins after this has
 * resolved is accepted. Revoking a revoked key changes nothing and is no error.
 */
export async function revokeKey(deps: Deps, caller: Caller, keyId: string): Promise<ApiKey> {
  const key = await manageableKey(deps, caller, keyId);
  const audit = auditRecord(deps, caller, {
    action: 'key.revoked',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
    details: isInRotation(deps, key) ? { successorId: key.successorId } : {},
  });
  const revoked = await deps.store.keys.revoke({ keyId, at: deps.clock.now(), audit, by: standingOf(caller) });
  if (!revoked) throw keyNotFound(keyId);
  return keyView(deps, revoked);
}

/** Whether it worked beside its successor until now: then nothing stops but the rest of the 24 hours. */
function isInRotation({ clock }: Pick<Deps, 'clock'>, key: KeyListing): boolean {
  return key.successorId !== null && isValid(key, clock.now());
}
